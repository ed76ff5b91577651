/// Statistics of a written snapshot.
package struct SnapshotSummary: Sendable, Hashable {
    /// The length of the file in bytes.
    package let length: Int
    /// The part of the file that was copied from older files.
    package let copiedLength: Int
    /// The length of all groups, in this file and in older ones.
    package let storedLength: Int
    /// The number of older files that the snapshot uses.
    package let baseCount: Int
    /// The number of groups in the snapshot.
    package let groups: Int
    /// The length of all groups before compression, without free space.
    package let rawBytes: Int
}
