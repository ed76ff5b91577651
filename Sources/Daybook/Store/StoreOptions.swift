import DaybookBytes
package import DaybookEngine
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The behavior of a store. The options are not stored; each opening may use different ones.
public struct StoreOptions: Sendable {
    /// When a commit survives a power failure. Default: ``Durability/always``.
    public var durability = Durability.always
    /// Whether to open the store without changing it, also while another process writes. Default:
    /// false.
    public var isReadOnly = false
    /// The time that an opening for writing waits while another store, of this or of another
    /// process, has the directory open for writing. Then it throws `.locked`. Default: zero. The
    /// longest time is 24 days. Ignored by read-only stores, which never wait.
    public var lockWait = Duration.zero
    /// The size of the cache for blocks of objects, in bytes. Default:
    /// ``defaultFrameCacheBudgetBytes``, an eighth of the memory. The cache grows as data is read
    /// and as transactions of up to 256 KiB are written; longer ones are not cached. When it is
    /// full, a block is cached when it is read for the second time. A `get` that
    /// misses it reads a block and decodes one object, some 5 µs, or decompresses 4 KiB of objects
    /// with long texts, some 13 µs. Lower it if the program opens several stores, because each has
    /// its own cache. Raise it towards the raw size of the data if all of that is read at random.
    /// Up to a quarter of this size is used in addition for copies of the fields that scans read:
    /// about 20 bytes per object for a condition with two fields. While less than an eighth of the
    /// memory is available, at most 512 MiB, the cache and the copies shrink by the missing bytes,
    /// but the cache keeps 8 MiB. They grow again when memory is available.
    public var frameCacheBudgetBytes = StoreOptions.defaultFrameCacheBudgetBytes
    /// An eighth of the memory that the process may use, at least 64 MiB. The memory is that of the
    /// machine or, if lower, the limit of the process's control group on Linux, and the limit of
    /// the process on Apple's devices.
    public static var defaultFrameCacheBudgetBytes: Int {
        frameCacheBudgetBytes(memoryBytes: MemorySize.bytes)
    }
    /// The size of the index pages that stay in memory, in bytes. Default:
    /// ``defaultIndexBudgetBytes``, a quarter of the memory. An object takes about 25 bytes of
    /// index pages, an index entry at least 16, and a link 48 or more. If the pages of a store
    /// exceed the budget, the pages that a snapshot contains are evicted and read again when they
    /// are used, some 200 µs for 64 KiB. Pages that no snapshot contains yet stay, so the store
    /// writes a snapshot when these exceed half of the budget. A running scan keeps the last pages
    /// that it has read, and a view of the past all of them. Lower it if the program opens several
    /// stores. Raise it towards the size of all index pages if objects are read or changed at
    /// random.
    public var indexBudgetBytes = StoreOptions.defaultIndexBudgetBytes
    /// A quarter of the memory that the process may use, at least 64 MiB. See
    /// ``defaultFrameCacheBudgetBytes``.
    public static var defaultIndexBudgetBytes: Int {
        indexBudgetBytes(memoryBytes: MemorySize.bytes)
    }
    /// The size at which a log segment is sealed, in bytes. Default: 64 MiB, at most 1 GiB. A
    /// higher value means fewer files, and rarer but longer pauses when a segment is sealed.
    public var segmentSizeBytes = 64 << 20
    /// The zstd level of sealed segments, 1 to 12. Default: 6. A higher level makes the log smaller
    /// and the background work slower. Commits do not wait for it.
    public var compressionLevel = 6
    /// The number of log bytes between two snapshots of the indexes. Default: 32 MiB. A higher
    /// value makes opening after a crash slower and the background work rarer.
    public var snapshotIntervalBytes = 32 << 20
    /// The history that the store keeps. Default: ``RetainedHistory/everything``. The store drops
    /// other history in the background, when the segments that were sealed since the last time are
    /// half of the log, so it may contain older history, too. Dropped history is gone forever: see
    /// ``Store/compact(keeping:except:ignoringConsumers:progress:isCancelled:)``. Changes that a
    /// ``Consumer`` has not acknowledged are kept, and so are all events: see ``entityRetention``.
    public var retention = RetainedHistory.everything
    /// Other histories than ``retention`` for some entities, by the names of their types. Default:
    /// none. An entity that the store does not have yet is not an error.
    ///
    /// Only a history of their own type drops events: `["Reading": .last(.seconds(86400))]`. An
    /// opening with a number of versions of events throws `.invalidArgument`.
    public var entityRetention: [String: RetainedHistory] = [:]
    /// Whether snapshots, the compression of the log, ``retention`` and the building of indexes
    /// over existing objects run automatically in the background. Default: true. The log is
    /// compressed segment by segment, and the last segment when the store is idle for some seconds
    /// or closed. If false, the next opening builds the indexes before it returns, also a read-only
    /// opening.
    public var isMaintenanceAutomatic = true
    /// The interval at which the store removes expired objects in the background, beginning at the
    /// opening: see ``Store/removeExpired(at:)``. Default: one minute. Zero means only when
    /// that function is called. A shorter interval removes objects sooner, and searches more often.
    /// Ignored without ``isMaintenanceAutomatic``, and without entities that expire.
    public var expiryInterval = Duration.seconds(60)
    /// The clock by which objects expire in the background.
    package var now: @Sendable () -> Date = { Date() }
    /// The interval at which a read-only store looks for the writer's commits. Default: 100
    /// milliseconds. Zero means only when ``Store/refresh()`` is called.
    public var refreshInterval = Duration.milliseconds(100)
    /// The migrations for changes of declarations that are not converted automatically. They run in
    /// this order, at the opening that changes the layout. Default: none.
    public var migrations: [Migration] = []
    /// The program's version of its declarations. The store records it. Opening a store with a
    /// higher version throws `.schemaTooNew`. Default: 0. Raise it if an older release of the
    /// program must not open the store after the new one has written to it.
    public var schemaVersion: UInt64 = 0
    /// A callback for the progress of a long opening. Migrations are reported on the opening
    /// thread; the fraction of a migration that proves too large for one transaction begins again
    /// once. Indexes over existing objects are reported on another thread, also after the
    /// opening, because they are built while writers continue. Default: nil.
    public var progress: (@Sendable (OpeningProgress) -> Void)?

    /// The handlers of the store's events, for logs and metrics. Default: none. See
    /// ``StoreObserver``.
    public var observers: [StoreObserver] = []
    /// The limits from which queries, commits and waits are reported to ``observers`` as slow.
    public var slowLimits = SlowLimits()
    /// The interval at which ``observers`` that measure receive ``StoreEvent/measured(_:)``, and
    /// others slow consumers. Default: 10 seconds. Zero means only when the store is closed.
    public var measurementInterval = Duration.seconds(10)

    /// Creates options with the default values.
    public init() {}

    /// The default budget of the frame cache for a size of memory.
    static func frameCacheBudgetBytes(memoryBytes: Int) -> Int {
        min(max(memoryBytes / 8, 64 << 20), 1 << 40)
    }

    /// The default budget of the index pages for a size of memory.
    static func indexBudgetBytes(memoryBytes: Int) -> Int {
        min(max(memoryBytes / 4, 64 << 20), 1 << 40)
    }

    package func engineOptions() throws(DaybookError) -> EngineOptions {
        try Self.require(segmentSizeBytes, in: (64 << 10)...(1 << 30), "segmentSizeBytes")
        try Self.require(compressionLevel, in: 1...12, "compressionLevel")
        try Self.require(frameCacheBudgetBytes, in: 0...(1 << 40), "frameCacheBudgetBytes")
        try Self.require(indexBudgetBytes, in: (1 << 20)...(1 << 40), "indexBudgetBytes")
        try Self.require(snapshotIntervalBytes, in: (64 << 10)...(1 << 40), "snapshotIntervalBytes")
        var options = EngineOptions()
        options.durability = durability
        options.lockWaitMilliseconds = lockWait.wholeMilliseconds
        options.log.frameCacheBudgetBytes = frameCacheBudgetBytes
        options.indexBudgetBytes = indexBudgetBytes
        options.log.segmentSizeBytes = segmentSizeBytes
        options.blockLevel = compressionLevel
        options.snapshotIntervalBytes = snapshotIntervalBytes
        options.isMaintenanceAutomatic = isMaintenanceAutomatic
        options.retention = try RetainedHistory.requests(retention, except: entityRetention)
        options.refreshIntervalMilliseconds =
            refreshInterval > .zero ? max(1, refreshInterval.wholeMilliseconds) : 0
        options.observers = observers
        options.slowLimits = slowLimits
        options.measurementIntervalMilliseconds =
            measurementInterval > .zero ? max(1, measurementInterval.wholeMilliseconds) : 0
        options.ambientMetadata = { CommitMetadata.current?.pairs ?? [:] }
        return options
    }

    private static func require(
        _ value: Int, in range: ClosedRange<Int>, _ name: String
    ) throws(DaybookError) {
        guard range.contains(value) else {
            throw DaybookError(
                .invalidArgument,
                "The option \(name) is \(value); it must be \(range.lowerBound) to"
                    + " \(range.upperBound).",
                details: ["option": name, "value": String(value)])
        }
    }
}
