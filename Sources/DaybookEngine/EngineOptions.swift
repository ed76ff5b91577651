import DaybookBytes
package import DaybookLog

/// How an engine behaves; none of it is part of the format.
package struct EngineOptions: Sendable {
    package var durability = Durability.always
    package var log = LogOptions()
    /// The raw size at which a transaction goes on in another frame: what a random read inflates.
    package var framePayloadBytes = 64 << 10
    /// The raw size at which compaction ends a block: blocks are of at least that, save for the
    /// last of a segment, and go beyond it by up to a record.
    package var blockPayloadBytes = 96 << 10
    /// The zstd level of those blocks, 1 to 12.
    package var blockLevel = 3
    /// A snapshot is written in the background after this much log, or half the size of the last
    /// snapshot if that is more. Raising it makes opening after a crash slower and writing cheaper.
    package var snapshotIntervalBytes = 32 << 20
    /// On closing, a snapshot is written if more changes than this would have to be replayed.
    package var snapshotChangeCountMin = 2_000
    /// Whether snapshots and the compression of sealed segments happen by themselves.
    package var isMaintenanceAutomatic = true
    /// How often a read-only store looks for new commits, in milliseconds; 0: only when asked.
    package var refreshIntervalMilliseconds = 100
    /// What the caller's task or thread wants noted with a commit; asked when a write begins, where
    /// the caller runs. Be brief: each write waits for it.
    package var ambientMetadata: @Sendable () -> [String: String] = { [:] }

    package init() {}
}
