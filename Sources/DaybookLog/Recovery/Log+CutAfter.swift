package import DaybookBytes

/// The bytes of a log that were cut off, and their copies.
package struct LogCut: Sendable {
    /// The last sequence that remains.
    package var sequence: UInt64
    /// The last sequence before the cut.
    package var lastSequence: UInt64
    /// The number of bytes that were cut off.
    package var byteCount: Int
    /// The names of the copies in the directory `quarantine`.
    package var quarantinedFiles: [String]
}

extension Log {
    /// Removes all transactions after a sequence, which must exist, and ends this log. Returns nil,
    /// and changes nothing, if there are no later transactions. Nothing else may use the log, and
    /// it must be opened again afterwards.
    ///
    /// The removed bytes are durable in `quarantine` first. Snapshots with later transactions are
    /// removed. A crash leaves the log as it was, or cut; the copies may then exist twice. Throws
    /// `.invalidArgument` if the transactions after the sequence are compressed, `.outOfSpace`,
    /// `.inputOutput`, `.durabilityUnknown`.
    package func cut(after sequence: UInt64) throws(DaybookError) -> LogCut? {
        guard durability != nil else { throw Self.readOnly }
        defer { abandon() }
        let last = lastSequence
        guard last > sequence else { return nil }
        let sealed = manifest.sealed
        let kept = sealed.prefix { $0.lastSequence <= sequence }
        let first = kept.count < sealed.count ? sealed[kept.count] : nil
        if let first, first.isBlocked { throw isCompressed(sequence) }
        let number = first?.number ?? manifest.activeNumber
        let segment = try opened(number)
        let end = try position(after: sequence, in: segment)
        var cut = LogCut(
            sequence: sequence, lastSequence: last, byteCount: 0, quarantinedFiles: [])
        try copy(segment, from: end.offset, into: &cut)
        for entry in sealed.dropFirst(kept.count + 1) {
            try copy(opened(entry.number), from: LogFormat.SegmentHeader.length, into: &cut)
        }
        if manifest.activeNumber != number {
            let active = try opened(manifest.activeNumber)
            try copy(active, from: LogFormat.SegmentHeader.length, into: &cut)
        }
        try removeSnapshots(after: sequence)
        try commitManifest { manifest in
            manifest.sealed = Array(kept)
            manifest.activeNumber = segment.number
            manifest.activeFirstSequence = segment.firstSequence
            manifest.durableSequence = sequence
            manifest.tailCopy = nil
        }
        // A crash here leaves the first segment whole, as a log with some of the transactions.
        let file = try fileSystem.open(segment.path, .readWrite)
        defer { file.close() }
        try file.resize(to: end.offset)
        try file.sync()
        return cut
    }

    /// The position after the last transaction up to a sequence in an uncompressed segment.
    private func position(
        after sequence: UInt64, in segment: Segment
    ) throws(DaybookError) -> LogPosition {
        var end = segment.start
        var scanner = SegmentScanner(segment, from: end, limit: try segment.file.size())
        while let frame = try scanner.next() {
            guard frame.header.kind < FrameKind.skippableFrom else { continue }
            guard frame.header.kind == FrameKind.records, frame.header.firstSequence <= sequence
            else { break }
            guard frame.header.lastSequence <= sequence else { throw isCompressed(sequence) }
            if frame.header.endsTransaction {
                end = frame.end(in: segment, sequence: frame.header.lastSequence)
            }
        }
        return end
    }

    private func copy(
        _ segment: Segment, from offset: Int, into cut: inout LogCut
    ) throws(DaybookError) {
        let size = segment.number == manifest.activeNumber ? end.offset : try segment.file.size()
        guard size > offset else { return }
        let bytes = try segment.file.read(size - offset, at: offset)
        let name = "segment-\(segment.number)-at-\(offset)-cut-after-\(cut.sequence)"
        cut.quarantinedFiles.append(
            try Quarantine(fileSystem: fileSystem, directory: directory).keep(bytes, name))
        cut.byteCount += bytes.count
    }

    private func opened(_ number: UInt64) throws(DaybookError) -> Segment {
        if let segment = segment(number) { return segment }
        throw .corruption(segment: number, offset: 0, "it is missing")
    }

    private func removeSnapshots(after sequence: UInt64) throws(DaybookError) {
        var isChanged = false
        for name in try fileSystem.list(directory) {
            guard case .snapshot(let last, _)? = StoreFileName(name), last > sequence else {
                continue
            }
            try fileSystem.remove(directory + "/" + name)
            isChanged = true
        }
        if isChanged { try fileSystem.syncDirectory(directory) }
    }

    private func isCompressed(_ sequence: UInt64) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "The transactions after sequence \(sequence) in \(directory) cannot be cut off, because"
                + " they were compressed. Make the replica again from a backup of another one.",
            details: ["sequence": String(sequence), "path": directory])
    }
}
