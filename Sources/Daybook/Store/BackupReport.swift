import DaybookEngine

/// What a backup came to: ``Store/backup(to:verifyingAll:progress:isCancelled:)``.
public struct BackupReport: Sendable, Equatable {
    /// The last commit in the backup: it has all up to that one, and nothing of any later.
    public let sequence: UInt64
    /// The last commit of the backup that it took the place of; nil where it is the first.
    public let previousSequence: UInt64?
    /// The files of the log in it: linked, copied and kept.
    public let segmentCount: Int
    /// Files that it shares with the store, at no cost in space.
    public let linkedSegmentCount: Int
    /// Files that were copied; the one that is written at the time always is.
    public let copiedSegmentCount: Int
    /// Files that the backup before had already.
    public let keptSegmentCount: Int
    /// How many bytes were copied.
    public let copiedBytes: Int
    /// How many bytes the log in the backup has.
    public let lengthBytes: Int

    /// Whether the places of the named consumers went along. Where they did not, older ones or none
    /// are in the backup, and consumers of a restored store are told again what they know.
    public let hasConsumers: Bool

    init(_ outcome: BackupOutcome) {
        sequence = outcome.sequence
        previousSequence = outcome.previousSequence
        segmentCount = outcome.segmentCount
        linkedSegmentCount = outcome.segments.linkedCount
        copiedSegmentCount = outcome.segments.copiedCount
        keptSegmentCount = outcome.segments.keptCount
        copiedBytes = outcome.segments.copiedBytes
        lengthBytes = outcome.lengthBytes
        hasConsumers = outcome.consumerFailure == nil
    }
}

/// What a restoration came to: ``Store/restore(from:to:until:progress:isCancelled:)``.
public struct RestoreReport: Sendable, Equatable {
    /// The last commit in the new store.
    public let sequence: UInt64
    /// How many bytes its log has.
    public let lengthBytes: Int

    init(_ report: CopyReport) {
        sequence = report.sequence
        lengthBytes = report.lengthBytes
    }
}
