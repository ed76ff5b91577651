package import DaybookBytes

extension PageSpace {
    /// Opens a snapshot as a space at its version, already published.
    ///
    /// Reads header, directory and metadata; a group of pages is read when one of them is first
    /// touched, so this takes well under a millisecond per million entries. The space keeps the
    /// file.
    ///
    /// - Parameter checkStructure: whether to read everything and check that all trees are sound.
    /// - Throws: `.corruption`, with the damaged part in `details["snapshot"]`; `.formatTooNew`;
    ///   and what the file throws.
    package static func open(
        snapshot file: any File, checkStructure: Bool = false
    ) throws(DaybookError) -> (space: PageSpace, contents: SnapshotContents) {
        let reader = try SnapshotReader(file)
        let space = PageSpace(
            source: GroupSource(GroupLoader(file: file, directory: reader.directory)),
            version: reader.version)
        if checkStructure { try space.checkStructure(reader.version) }
        let contents = SnapshotContents(
            version: reader.version, metadata: reader.metadata,
            groupCount: reader.directory.entries.count, fileLength: reader.fileLength)
        return (space, contents)
    }
}
