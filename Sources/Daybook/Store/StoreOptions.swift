import DaybookEngine

/// How a store behaves. None of it is written to the store: the next opening may choose anew.
public struct StoreOptions: Sendable {
    /// When a commit is safe from a power cut. Default: ``Durability/always``.
    public var durability = Durability.always
    /// Opens the store beside a writer without changing anything. Default: false.
    public var isReadOnly = false
    /// Memory for inflated frames, in bytes. Default: 128 MiB. Raise it towards the raw size of the
    /// data that is read at random: a get that misses reads and inflates some 100 KiB. Up to a
    /// quarter of it is taken besides for copies of the fields that scans ask for: some 20 bytes an
    /// object where a condition has two of them.
    public var frameCacheBudgetBytes = 128 << 20
    /// A log segment is sealed at this size, in bytes. Default: 64 MiB, at most 1 GiB. Raising it
    /// makes fewer files and rarer, longer pauses when one is sealed.
    public var segmentSizeBytes = 64 << 20
    /// The zstd level of sealed segments, 1 to 12. Default: 3. Raising it makes the log smaller and
    /// the background work slower; commits do not wait for it.
    public var compressionLevel = 3
    /// A snapshot of the indexes is written after this many bytes of log. Default: 32 MiB. Raising
    /// it makes opening after a crash slower and the background work rarer.
    public var snapshotIntervalBytes = 32 << 20
    /// Whether snapshots, the compression of sealed segments and the building of indexes over
    /// objects that are there happen by themselves, in the background. Default: true. Without it
    /// indexes are built by the next opening, also one that only reads, before it answers.
    public var isMaintenanceAutomatic = true
    /// How often a read-only store looks for the writer's commits. Default: 100 milliseconds; zero:
    /// only when ``Store/refresh()`` is called.
    public var refreshInterval = Duration.milliseconds(100)
    /// What converts stored objects where a declaration has changed in a way that is not converted
    /// by itself. They run in this order, at the opening that changes the layout. Default: none.
    public var migrations: [Migration] = []
    /// The program's version of its declarations, noted in the store. A store that has a higher one
    /// is refused with `.schemaTooNew`. Default: 0. Raise it where an older release of the program
    /// must not work on what the new one has written.
    public var schemaVersion: UInt64 = 0
    /// Hears how far a long opening is. Migrations are told on the thread that opens; indexes over
    /// objects that are there already on another, also after the opening, for they are built beside
    /// the writers. Default: nobody.
    public var progress: (@Sendable (OpeningProgress) -> Void)?

    /// The defaults.
    public init() {}

    func engineOptions() throws(DaybookError) -> EngineOptions {
        try Self.require(segmentSizeBytes, in: (64 << 10)...(1 << 30), "segmentSizeBytes")
        try Self.require(compressionLevel, in: 1...12, "compressionLevel")
        try Self.require(frameCacheBudgetBytes, in: 0...(1 << 40), "frameCacheBudgetBytes")
        try Self.require(snapshotIntervalBytes, in: (64 << 10)...(1 << 40), "snapshotIntervalBytes")
        var options = EngineOptions()
        options.durability = durability
        options.log.frameCacheBudgetBytes = frameCacheBudgetBytes
        options.log.segmentSizeBytes = segmentSizeBytes
        options.blockLevel = compressionLevel
        options.snapshotIntervalBytes = snapshotIntervalBytes
        options.isMaintenanceAutomatic = isMaintenanceAutomatic
        options.refreshIntervalMilliseconds =
            refreshInterval > .zero ? max(1, refreshInterval.wholeMilliseconds) : 0
        options.ambientMetadata = { CommitMetadata.current?.pairs ?? [:] }
        return options
    }

    private static func require(
        _ value: Int, in range: ClosedRange<Int>, _ name: String
    ) throws(DaybookError) {
        guard range.contains(value) else {
            throw DaybookError(
                .invalidArgument,
                "The option \(name) is \(value); it has to be \(range.lowerBound) to"
                    + " \(range.upperBound).",
                details: ["option": name, "value": String(value)])
        }
    }
}
