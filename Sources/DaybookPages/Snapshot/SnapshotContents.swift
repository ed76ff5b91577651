package import DaybookBytes

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
    /// The older files that contain groups of the snapshot.
    package let bases: [SnapshotBase]
    /// The length of all groups, in this file and in older ones.
    package let storedLength: Int

    init(_ reader: SnapshotReader) {
        version = reader.version
        metadata = reader.metadata
        groupCount = reader.directory.entries.count
        fileLength = reader.fileLength
        bases = reader.directory.bases
        storedLength = reader.directory.storedLength
    }

    /// Reads the description of a snapshot. Cost: a read of its directory and metadata.
    ///
    /// - Throws: the errors of ``PageSpace/open(snapshot:named:checkStructure:base:)``.
    package init(of file: any File) throws(DaybookError) {
        self.init(try SnapshotReader(file))
    }

    /// Reads all groups in a file and verifies their checksums, also of groups that only older
    /// snapshots use.
    ///
    /// - Throws: `.corruption` with the damaged part in `details["snapshot"]`, and errors of the
    ///   file.
    package static func checkGroups(of file: any File, named name: String) throws(DaybookError) {
        let reader = try SnapshotReader(file)
        let loader = GroupLoader(
            files: [SnapshotFile(file: file, base: reader.base(named: name))],
            directory: reader.directory)
        for entry in reader.directory.entries where entry.file == 0 {
            _ = try loader.storedBytes(entry)
        }
    }
}
