package import DaybookBytes

extension PageSpace {
    /// Opens a snapshot as a space with a published version.
    ///
    /// Reads header, directory and metadata. A group of pages is read when one of its pages is
    /// first used, so opening takes well under a millisecond per million entries. The space retains
    /// the file.
    ///
    /// - Parameter checkStructure: whether to read all pages and check all trees.
    /// - Throws: `.corruption` with the damaged part in `details["snapshot"]`, `.formatTooNew`, and
    ///   errors of the file.
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

    /// Creates a space that starts as a copy of a pinned version, for private changes.
    ///
    /// It shares the version's pages and copies the pages that it changes. It takes memory in
    /// proportion to the changes, plus 5 bytes per group of 64 KiB. The fork retains the version
    /// and its space. Its sequences continue after the version's sequence. A fork cannot be
    /// captured as a snapshot.
    package static func fork(of pin: PagePin) -> PageSpace {
        PageSpace(source: GroupSource(sharing: pin), version: pin.version)
    }

    /// The number of bytes in pages that the space does not share. For the writer's thread.
    package var ownByteCount: Int {
        let count = writer.withWriter { writer in writer.allocator.groupCount }
        return (count - sharedGroupCount) * GroupMemory.length
    }
}
