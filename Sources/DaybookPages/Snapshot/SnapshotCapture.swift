package import DaybookBytes

/// A pinned version that can be written to a file on any thread, while commits continue.
///
/// It retains the version until it is released.
package final class SnapshotCapture: Sendable {
    private let space: PageSpace
    private let pin: PagePin
    let liveMasks: [UInt16]

    init(_ space: PageSpace, _ version: PageVersion, liveMasks: [UInt16]) {
        self.space = space
        pin = PagePin(working: version, of: space)
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
        if !space.table.isResident(group: group), var entry = space.loader?.entry(of: group) {
            let stored = try space.loader?.storedBytes(entry) ?? []
            entry.liveMask = liveMask
            try output.append(stored, entry)
            return entry.rawLength
        }
        encoder.removeAll()
        // Reads only live pages: the writer may change the others.
        for index in 0..<16 where liveMask & (1 << UInt16(index)) != 0 {
            encoder.append(space.table.knownPage(UInt32(group * 16 + index)))
        }
        let raw = encoder.writer.span
        let stored = try Zstd.compress(raw, level: level)
        let entry = SnapshotDirectory.Entry(
            group: group, liveMask: liveMask, storedMask: liveMask, offset: 0,
            storedLength: stored.count, rawLength: raw.count, checksum: XXH64.hash(stored.span))
        try output.append(stored, entry)
        return entry.rawLength
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
