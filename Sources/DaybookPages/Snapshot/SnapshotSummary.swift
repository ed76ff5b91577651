/// What a snapshot became.
package struct SnapshotSummary: Sendable, Hashable {
    /// The length of the file in bytes.
    package let length: Int
    /// The groups of pages in it.
    package let groups: Int
    /// The bytes of all groups before compression: what their pages hold, without free space.
    package let rawBytes: Int
}
