/// What a snapshot says of itself, known as soon as it is opened.
package struct SnapshotContents: Sendable, Hashable {
    /// The version that it holds.
    package let version: PageVersion
    /// What the caller of `write` gave along.
    package let metadata: [UInt8]
    /// The groups of pages in it.
    package let groupCount: Int
    /// The length of the file in bytes.
    package let fileLength: Int
}
