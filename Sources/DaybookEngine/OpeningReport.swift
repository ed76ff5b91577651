package import DaybookLog

/// The result of opening a store: `Store.openingReport`.
///
/// After a crash it lists the repairs. The removed bytes never contain a commit that the durability
/// guaranteed: opening throws `.corruption` if such a commit is missing.
public struct OpeningReport: Sendable, Equatable {
    /// Whether this opening created the store.
    public package(set) var isNew = false
    /// The recovery of the log.
    package var recovery = RecoveryReport()
    /// The sequence of the snapshot that the indexes were loaded from; nil after a replay of the
    /// whole log.
    public package(set) var snapshotSequence: UInt64?
    /// The name of that snapshot's file.
    var snapshotName: String?
    /// Snapshots that could not be used, each with the reason. This only costs time.
    public package(set) var rejectedSnapshots: [String] = []
    /// Indexes that lack objects because damage makes their rows unreadable, each with the objects
    /// and the remedy. A lookup of a value that the index does not contain throws `.corruption`
    /// until these objects are removed or readable again; everything else works.
    /// `Store.maintenanceError` reports the same for an index that is built after opening.
    public package(set) var incompleteIndexes: [String] = []
    /// Damage of CURRENT, of the manifest and of headers of segments, each with the name of the
    /// file. It cost nothing, because their content is stored twice or follows from the manifest.
    /// An opening for writing writes them again, except the header of a segment with a damaged
    /// frame. Damage that recurs is a sign of a failing disk.
    public var toleratedDamage: [String] {
        recovery.toleratedDamage.map { "\($0.file): \($0.message)" }
    }
    /// New properties and entities that may be renamed ones, each with the remedy. The first
    /// opening with such a change reports them: a property of an entity with objects that is new,
    /// while one of the same type is no longer declared, and a new entity with the properties of
    /// one that is no longer declared. Empty for a read-only store. Nothing is lost: the values
    /// stay in the store under the former name.
    public package(set) var possibleRenames: [String] = []
    /// The number of index changes that were replayed from the log after the snapshot.
    public package(set) var replayedChangeCount = 0

    /// The sequence of the last commit in the log; 0 for an empty log.
    public var sequence: UInt64 { recovery.lastSequence }
    /// Whether the last writer closed the store and nothing was written since.
    public var wasClosedCleanly: Bool { recovery.wasClosedCleanly }
    /// The size of the unfinished commit that was cut off the end of the log and kept in
    /// ``quarantinedFile``.
    public var quarantinedBytes: Int { recovery.tornBytes }
    /// The file that contains the removed bytes, `quarantine/` and a name in the store's directory;
    /// nil if nothing was removed. Daybook never reads it, and it may be deleted.
    public var quarantinedFile: String? { recovery.quarantinedFile.map { "quarantine/" + $0 } }
    /// The number of frames that no known sync covered and that were written again. Their commits
    /// are complete.
    public var rewrittenFrameCount: Int { recovery.rewrittenFrameCount }
    /// Files that a crash left and that no manifest names. They were moved to the quarantine.
    public var orphanedFiles: [String] { recovery.orphanedFiles }
}
