extension PageSpace {
    /// A space of its own that begins as a pinned version, for changes that nobody else shall see.
    ///
    /// It shares the version's pages and copies those that it changes, so it takes memory in
    /// proportion to the changes, and 5 bytes for each group of 64 KiB that there is. The version
    /// stays pinned, and its space alive, as long as the fork. Its sequences go on behind the
    /// version's; no snapshot can be made of it.
    package static func fork(of pin: PagePin) -> PageSpace {
        PageSpace(source: GroupSource(sharing: pin), version: pin.version)
    }

    /// How many bytes of pages are the space's own: what a fork shares is not counted. For the
    /// thread that writes to it.
    package var ownByteCount: Int {
        let count = writer.withWriter { writer in writer.allocator.groupCount }
        return (count - sharedGroupCount) * PageTable.groupLength
    }
}
