/// The description of a snapshot, known as soon as it is opened.
package struct SnapshotContents: Sendable, Hashable {
    /// The version in the snapshot.
    package let version: PageVersion
    /// The metadata that was passed to `write`.
    package let metadata: [UInt8]
    /// The number of groups in the snapshot.
    package let groupCount: Int
    /// The length of the file in bytes.
    package let fileLength: Int
}
