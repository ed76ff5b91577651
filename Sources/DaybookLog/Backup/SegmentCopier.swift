import DaybookBytes

/// Copies segments to temporary files, verifies the copies, and renames them into place.
struct SegmentCopier {
    let fileSystem: any FileSystem
    let directory: String
    let store: StoreIdentity

    private static let chunkBytes = 1 << 20

    /// Copies a sealed segment. Throws `.corruption` if the source does not match the manifest, and
    /// `.backupInvalid` if the copy does not match the source.
    func copy(
        _ segment: Segment, of entry: SegmentEntry, _ step: LogBackup.Step
    ) throws(DaybookError) {
        let name = entry.fileName.text
        try write(segment, entry.length, name, step) { file, hash throws(DaybookError) in
            guard hash == entry.hash else {
                throw .corruption(
                    segment: entry.number, offset: 0,
                    "its content differs from the hash in the manifest")
            }
            guard try Self.hash(of: file, entry.length, step) == hash else {
                throw differs(name)
            }
        }
    }

    /// Copies the active segment up to a position and verifies the chain of its frames.
    func copy(
        _ segment: Segment, until end: LogPosition, named name: String, _ step: LogBackup.Step
    ) throws(DaybookError) {
        try write(segment, end.offset, name, step) { file, hash throws(DaybookError) in
            guard try Self.hash(of: file, end.offset, step) == hash else { throw differs(name) }
            let copied = Segment(
                store: store, number: segment.number, firstSequence: segment.firstSequence,
                file: file, path: directory + "/" + name, fileSystem,
                headerBytes: segment.headerBytes)
            var scanner = SegmentScanner(copied, from: copied.start, limit: end.offset)
            while try scanner.next() != nil { try step(0) }
            guard scanner.offset == end.offset, scanner.check == end.check else {
                throw .corruption(
                    segment: segment.number, offset: scanner.offset, "a frame fails its check")
            }
        }
    }

    /// Whether the target contains the segment's file with the length in the manifest. If
    /// `reading`, the content must match the hash, too.
    func holds(
        _ entry: SegmentEntry, reading: Bool, _ step: LogBackup.Step
    ) throws(DaybookError) -> Bool {
        let file = try fileSystem.open(directory + "/" + entry.fileName.text, .read)
        defer { file.close() }
        guard try file.size() == entry.length else { return false }
        guard reading else { return true }
        return try Self.hash(of: file, entry.length, step) == entry.hash
    }

    /// Writes the first bytes of a segment to a temporary file. After a sync and a successful
    /// `check`, renames it to `name`. Removes it on failure.
    private func write(
        _ segment: Segment, _ length: Int, _ name: String, _ step: LogBackup.Step,
        _ check: (any File, UInt64) throws(DaybookError) -> Void
    ) throws(DaybookError) {
        let temporary = directory + "/" + StoreFileName.temporary(of: name).text
        let file = try fileSystem.open(temporary, .replace)
        defer { file.close() }
        do throws(DaybookError) {
            var hash = XXH64()
            var offset = 0
            while offset < length {
                let count = min(Self.chunkBytes, length - offset)
                let bytes = try segment.read(count, at: offset)
                guard !bytes.isEmpty else {
                    throw .corruption(
                        segment: segment.number, offset: offset, "it is shorter than before")
                }
                hash.update(bytes.span)
                try file.write(bytes.span, at: offset)
                offset += bytes.count
                try step(bytes.count)
            }
            try file.sync()
            try check(file, hash.digest())
            try fileSystem.rename(temporary, to: directory + "/" + name)
        } catch {
            try? fileSystem.remove(temporary)
            throw error
        }
    }

    private static func hash(
        of file: any File, _ length: Int, _ step: LogBackup.Step
    ) throws(DaybookError) -> UInt64? {
        var hash = XXH64()
        var offset = 0
        while offset < length {
            let bytes = try file.read(min(chunkBytes, length - offset), at: offset)
            guard !bytes.isEmpty else { return nil }
            hash.update(bytes.span)
            offset += bytes.count
            try step(bytes.count)
        }
        return hash.digest()
    }

    func differs(_ name: String) -> DaybookError {
        DaybookError(
            .backupInvalid,
            "\(name) in \(directory) differs from its source when it is read back, so the backup"
                + " failed. Check the volume and the system's log for errors.",
            details: ["file": name, "path": directory])
    }
}
