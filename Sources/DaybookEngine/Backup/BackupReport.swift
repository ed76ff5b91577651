package import DaybookBytes
package import DaybookLog

/// The result of a backup: `Store.backup(to:verifyingAll:progress:isCancelled:)`.
public struct BackupReport: Sendable {
    /// The store that was backed up.
    package var store: StoreIdentity
    /// The last commit in the backup. The backup contains all commits up to it and no later ones.
    public package(set) var sequence: UInt64
    /// The last commit of the backup that this one replaced; nil for the first backup.
    public package(set) var previousSequence: UInt64?
    /// The number of segments of the log in the backup: linked, copied and kept ones.
    public package(set) var segmentCount: Int
    /// How the segments were transferred.
    package var segments: LogBackup.Tally
    /// The size of the log in the backup. Linked segments share their space with the store.
    public package(set) var lengthBytes: Int
    /// The sequence of the snapshot in the backup; nil for none. A snapshot makes opening fast.
    package var snapshotSequence: UInt64?
    /// The error that kept the positions of named consumers out of the backup.
    package var consumerFailure: DaybookError?

    /// The number of segments that share their space with the store.
    public var linkedSegmentCount: Int { segments.linkedCount }
    /// The number of segments that were copied. The active segment is always copied.
    public var copiedSegmentCount: Int { segments.copiedCount }
    /// The number of segments that the previous backup had already.
    public var keptSegmentCount: Int { segments.keptCount }
    /// The number of copied bytes.
    public var copiedBytes: Int { segments.copiedBytes }
    /// Whether the backup contains the positions of the named consumers. Otherwise it has older
    /// positions or none, and the consumers of a restored store receive known changes again.
    public var hasConsumers: Bool { consumerFailure == nil }
}

extension BackupReport: Equatable {
    /// Whether two backups transferred the same; errors are compared by their presence.
    public static func == (one: BackupReport, other: BackupReport) -> Bool {
        one.store == other.store && one.sequence == other.sequence
            && one.previousSequence == other.previousSequence
            && one.segmentCount == other.segmentCount && one.segments == other.segments
            && one.lengthBytes == other.lengthBytes && one.hasConsumers == other.hasConsumers
    }
}
