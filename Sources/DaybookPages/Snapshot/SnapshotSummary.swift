/// Statistics of a written snapshot.
package struct SnapshotSummary: Sendable, Hashable {
    /// The length of the file in bytes.
    package let length: Int
    /// The number of groups in the snapshot.
    package let groups: Int
    /// The length of all groups before compression, without free space.
    package let rawBytes: Int
}
