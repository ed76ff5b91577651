package import DaybookBytes

/// A pinned version that can be written to a file on any thread, while commits continue.
///
/// It retains the version until it is released.
package final class SnapshotCapture: Sendable {
    private let space: PageSpace
    private let pin: VersionPin
    let liveMasks: [UInt16]

    init(_ space: PageSpace, _ version: PageVersion, liveMasks: [UInt16]) {
        self.space = space
        pin = VersionPin(working: version, of: space)
        self.liveMasks = liveMasks
    }

    /// The captured version.
    package var version: PageVersion { pin.version }

    /// Writes the snapshot from the start of a file, which should be new, and truncates the file
    /// after it. Does not sync; the caller syncs and renames the file.
    ///
    /// Groups in memory are encoded and compressed, about 0.2 ms each. Groups that were never
    /// loaded are copied from their snapshot, after their checksum was verified.
    ///
    /// - Parameters:
    ///   - metadata: any bytes; returned when the snapshot is opened.
    ///   - level: the compression level, see ``Zstd``. Levels above 3 gain little.
    ///   - isCancelled: called before each group.
    /// - Throws: `.interrupted` if `isCancelled` returns true, `.corruption` if a copied group is
    ///   damaged, and errors of the file. The written bytes are then useless.
    package func write(
        to file: any File, metadata: [UInt8], level: Int = 1,
        isCancelled: () -> Bool = { false }
    ) throws(DaybookError) -> SnapshotSummary {
        var output = SnapshotWriter(file)
        let headerChecksum = try output.writeHeader(version)
        var encoder = GroupEncoder()
        var rawBytes = 0
        for group in liveMasks.indices where liveMasks[group] != 0 {
            if isCancelled() {
                throw DaybookError(.interrupted, "Writing the snapshot was interrupted.")
            }
            rawBytes += try write(group, with: &encoder, level, to: &output)
        }
        let length = try output.finish(metadata: metadata, headerChecksum: headerChecksum)
        return SnapshotSummary(
            length: length, groups: output.directory.entries.count, rawBytes: rawBytes)
    }

    /// Writes one group and returns its length before compression.
    private func write(
        _ group: Int, with encoder: inout GroupEncoder, _ level: Int,
        to output: inout SnapshotWriter
    ) throws(DaybookError) -> Int {
        let liveMask = liveMasks[group]
        encoder.removeAll()
        let isResident = pin.withReader { reader in
            guard let memory = reader.table.memory(of: group) else { return false }
            // Reads only live pages: the writer may change the others.
            for index in 0..<16 where liveMask & (1 << UInt16(index)) != 0 {
                encoder.append(memory.page(index))
            }
            return true
        }
        guard isResident else { return try copy(group, liveMask, to: &output) }
        let raw = encoder.writer.span
        let stored = try Zstd.compress(raw, level: level)
        let entry = SnapshotDirectory.Entry(
            group: group, liveMask: liveMask, storedMask: liveMask, offset: 0,
            storedLength: stored.count, rawLength: raw.count, checksum: XXH64.hash(stored.span))
        try output.append(stored, entry)
        return entry.rawLength
    }

    /// Copies the stored bytes of a group that is not in memory, and returns its length before
    /// compression. The group has not changed since the snapshot that contains it.
    private func copy(
        _ group: Int, _ liveMask: UInt16, to output: inout SnapshotWriter
    ) throws(DaybookError) -> Int {
        guard let loader = space.loader, var entry = loader.entry(of: group) else {
            throw DamagedPages.missingPage(UInt32(group) << 4)
        }
        let stored = try loader.storedBytes(entry)
        entry.liveMask = liveMask
        try output.append(stored, entry)
        return entry.rawLength
    }

    /// A snapshot that was written and can be adopted.
    package struct Written {
        fileprivate let loader: GroupLoader
    }

    /// Opens the snapshot that ``write(to:metadata:level:isCancelled:)`` wrote. Cost: a read of its
    /// directory.
    ///
    /// - Throws: `.corruption` if the file does not contain the captured version, and errors of the
    ///   file.
    package func reopen(_ file: any File) throws(DaybookError) -> Written {
        let reader = try SnapshotReader(file)
        guard reader.version == version,
            reader.directory.liveMasks[...] == Self.trimmed(liveMasks)
        else {
            throw DaybookError(
                .corruption, "The snapshot was replaced after it was written.",
                details: ["snapshot": "header"])
        }
        return Written(
            loader: GroupLoader(
                file: file, directory: reader.directory,
                generation: (space.loader?.generation ?? 0) + 1))
    }

    /// Makes a snapshot the one that the space reads its pages from, so that pages it contains can
    /// be evicted. For the writer's thread, before the next capture. The space retains the file,
    /// which may be renamed or removed.
    package func adopt(_ written: Written) {
        space.adopt(written.loader, at: version.sequence)
    }

    /// The masks up to the last one with a page, as the directory has them.
    private static func trimmed(_ masks: [UInt16]) -> ArraySlice<UInt16> {
        masks[..<((masks.lastIndex { $0 != 0 } ?? -1) + 1)]
    }
}

extension PageSpace {
    /// Captures the writer's state between two transactions, to be written to a file later. Takes
    /// well under a microsecond, plus a copy of two bytes per group at the next change.
    package func capture() -> SnapshotCapture {
        let (version, liveMasks) = writer.withWriter { writer in
            precondition(!writer.isOpen, "capture inside of a transaction")
            precondition(sharedGroupCount == 0, "capture of a fork")
            return (writer.version, writer.allocator.liveMasks)
        }
        return SnapshotCapture(self, version, liveMasks: liveMasks)
    }
}
