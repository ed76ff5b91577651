package import DaybookLog

/// What opening a store found and did.
package struct OpenReport: Sendable {
    /// Whether the store was made by this opening.
    package var isNew = false
    /// What became of the log.
    package var recovery = RecoveryReport()
    /// The sequence of the snapshot that the indexes came from; nil after a full replay.
    package var snapshotSequence: UInt64?
    /// Snapshots that could not be used, each with the reason.
    package var rejectedSnapshots: [String] = []
    /// Indexes that lack objects whose rows cannot be read, each with what to do.
    package var incompleteIndexes: [String] = []
    /// Index changes that were replayed from the log.
    package var replayedChangeCount = 0
}
