package import DaybookBytes

extension PageSpace {
    /// Opens a snapshot as a space with a published version.
    ///
    /// Reads header, directory and metadata, and the trailers of the older files that the snapshot
    /// uses. A group of pages is read when one of its pages is first used, so opening takes well
    /// under a millisecond per million entries. The space retains the files.
    ///
    /// - Parameters:
    ///   - name: the name by which later snapshots may use the file.
    ///   - checkStructure: whether to read all pages and check all trees.
    ///   - open: opens an older file that the snapshot uses. It may be another file than the
    ///     snapshot expects.
    /// - Throws: `.corruption` with the damaged part in `details["snapshot"]`, `.formatTooNew`, and
    ///   errors of the files.
    package static func open(
        snapshot file: any File, named name: String = "", checkStructure: Bool = false,
        base open: (SnapshotBase) throws(DaybookError) -> any File = { base throws(DaybookError) in
            throw base.isMissing()
        }
    ) throws(DaybookError) -> (space: PageSpace, contents: SnapshotContents) {
        let reader = try SnapshotReader(file)
        var files = [SnapshotFile(file: file, base: reader.base(named: name))]
        for base in reader.directory.bases {
            let file = try open(base)
            guard try base.matches(file) else { throw base.isMissing() }
            files.append(SnapshotFile(file: file, base: base))
        }
        let space = PageSpace(
            source: GroupSource(GroupLoader(files: files, directory: reader.directory)),
            version: reader.version)
        if checkStructure { try space.checkStructure(reader.version) }
        return (space, SnapshotContents(reader))
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
