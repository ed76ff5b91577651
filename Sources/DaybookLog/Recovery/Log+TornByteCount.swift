package import DaybookBytes

extension Log {
    /// The number of bytes from the end of the log to the last non-zero byte: a torn write, or a
    /// write in progress. The seal frame of an unfinished roll is not counted, because the next
    /// opening repeats the roll. Cost: a read of the preallocated space.
    package func tornByteCount() throws(DaybookError) -> Int {
        // After the end of a backup, there may be a part of the next backup.
        guard !manifest.isBackup else { return 0 }
        let (segment, end) = tail.withLock { ($0.segment, $0.position) }
        let size = try segment.file.size()
        var scanner = SegmentScanner(segment, from: end, limit: size)
        let isSealed = try scanner.next()?.header.kind == FrameKind.seal
        var offset = isSealed ? scanner.offset : end.offset
        var count = 0
        while offset < size {
            let bytes = try segment.file.read(min(1 << 20, size - offset), at: offset)
            guard !bytes.isEmpty else { break }
            if let last = bytes.lastIndex(where: { $0 != 0 }) {
                count = offset + last + 1 - end.offset
            }
            offset += bytes.count
        }
        return count
    }
}
