import DaybookBytes
package import DaybookLog

/// The options of an engine. They are not part of the format.
package struct EngineOptions: Sendable {
    package var durability = Durability.always
    /// The time in milliseconds that an opening waits for the lock of another writer.
    package var lockWaitMilliseconds = 0
    package var log = LogOptions()
    /// The size of the index pages that stay in memory, in bytes, as far as a snapshot contains the
    /// others. Evicted pages are read again when they are used. A snapshot is due when the pages
    /// that none contains exceed half of it.
    package var indexBudgetBytes = Int.max
    /// The raw size at which a transaction continues in a new frame. A random read decompresses one
    /// frame.
    package var framePayloadBytes = 64 << 10
    /// The minimum raw size of a compacted block, except for the last block of a segment and before
    /// a large record. A block exceeds it by less than a record of this size; a longer record has a
    /// block of its own. A random read reads and checks one block. A higher value makes the log
    /// smaller and reads beyond the cache slower.
    package var blockPayloadBytes = 4 << 10
    /// The same for a compacted block without versions, tombstones and events. Only scans read it.
    package var linkBlockPayloadBytes = 64 << 10
    /// The zstd level of compacted blocks, 1 to 12.
    package var blockLevel = 6
    /// The raw size of the blocks from which the encoding of a compacted segment is chosen and its
    /// dictionary is trained; 0 for compression without dictionaries. They wait in memory.
    package var dictionarySampleBytes = 3 << 19
    /// The number of index entries that a compaction changes in one hold of the writer's lock. A
    /// higher value makes compactions faster and the waits of commits longer.
    package var relocationBatchCount = 1024
    /// The log size after which a snapshot is written in the background; half the length of the
    /// pages that the last snapshot wrote if that is more. A higher value makes writing cheaper and
    /// opening after a crash slower.
    package var snapshotIntervalBytes = 32 << 20
    /// The minimum length of a snapshot file of which a newer snapshot uses pages instead of
    /// copying them. A lower value makes snapshots of small stores shorter and leaves more files.
    package var snapshotBaseLengthMin = 64 << 10
    /// The number of changes that an opening may replay before a snapshot is due; more if they
    /// changed many pages, because writing these takes longer. A lower value keeps the openings of
    /// programs that never close faster, and makes more of them write a snapshot.
    package var openingReplayCountMax = 512
    /// Closing writes a snapshot if an opening would replay more changes than this.
    package var snapshotChangeCountMin = 2_000
    /// The size of the transactions of a migration that does not fit in one of this size. A higher
    /// value needs more memory, and an interrupted migration loses more work.
    package var migrationStep = MigrationStep()
    /// The history that the store keeps; it drops other history in the background.
    package var retention = HistoryRequests(.everything)
    /// The time without a commit after which the log is compressed, if a noticeable part of it is
    /// not compressed.
    package var idleMillisecondsBeforeCompression = 5_000
    /// Whether snapshots, the compression of sealed segments and of an idle store, and the removal
    /// of expired history run automatically.
    package var isMaintenanceAutomatic = true
    /// The interval in milliseconds at which a read-only store looks for new commits; 0 for
    /// explicit refreshes only.
    package var refreshIntervalMilliseconds = 100
    /// The part of the store in replication; nil for a store that is no replica.
    package var shipping: LogShipping?
    /// The identity of a new store; a random one if nil. All replicas have the same.
    package var newStoreIdentity: StoreIdentity?
    /// The receivers of events.
    package var observers: [StoreObserver] = []
    /// The limits from which operations are reported as slow.
    package var slowLimits = SlowLimits()
    /// The interval in milliseconds at which observers receive the state of the store.
    package var measurementIntervalMilliseconds = 10_000
    /// The metadata that the caller's task or thread adds to a commit. Called on the caller's
    /// thread when a write begins. Must be fast, because each write waits for it.
    package var ambientMetadata: @Sendable () -> [String: String] = { [:] }

    package init() {}
}
