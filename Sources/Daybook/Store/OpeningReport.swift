import DaybookEngine

/// What opening a store found and did: ``Store/openingReport``.
///
/// After a crash it says what was mended. What the user was ever promised is not among what is cut
/// off: if that were gone, opening would have thrown `.corruption`.
public struct OpeningReport: Sendable, Equatable {
    /// Whether the store was made by this opening.
    public let isNew: Bool
    /// The sequence of the last commit that was found; 0 where there was none.
    public let sequence: UInt64
    /// Whether the last writer closed the store and nothing was written since.
    public let wasClosedCleanly: Bool
    /// Bytes of an unfinished commit behind the end of the log that were cut off, and kept in
    /// ``quarantinedFile``.
    public let quarantinedBytes: Int
    /// The file that has what was cut off, `quarantine/` and a name in the store's directory; nil
    /// where nothing was. Nothing reads it again, and it may be deleted.
    public let quarantinedFile: String?
    /// Frames of commits that no sync was known to cover and that were written anew. They are all
    /// there.
    public let rewrittenFrameCount: Int
    /// Files that a crash left, that no manifest names, and that were put away.
    public let orphanedFiles: [String]
    /// The commit up to which a snapshot gave the indexes; nil where the whole log was read.
    public let snapshotSequence: UInt64?
    /// Snapshots that could not be used, each with its reason. Only time is lost by that.
    public let rejectedSnapshots: [String]
    /// Indexes that lack objects, for damage makes their rows unreadable, each with the objects and
    /// what to do. All else works: a look for a value that the index does not have is `.corruption`
    /// until these objects are removed, or can be read again. What an index lacks that is built
    /// behind the opening, ``Store/maintenanceError`` tells.
    public let incompleteIndexes: [String]
    /// Changes that were read from the log behind the snapshot.
    public let replayedChangeCount: Int

    init(_ report: OpenReport) {
        isNew = report.isNew
        sequence = report.recovery.lastSequence
        wasClosedCleanly = report.recovery.wasClosedCleanly
        quarantinedBytes = report.recovery.tornBytes
        quarantinedFile = report.recovery.quarantinedFile.map { "quarantine/" + $0 }
        rewrittenFrameCount = report.recovery.rewrittenFrameCount
        orphanedFiles = report.recovery.orphanedFiles
        snapshotSequence = report.snapshotSequence
        rejectedSnapshots = report.rejectedSnapshots
        incompleteIndexes = report.incompleteIndexes
        replayedChangeCount = report.replayedChangeCount
    }
}
