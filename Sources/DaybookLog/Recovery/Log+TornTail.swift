package import DaybookBytes

extension Log {
    /// How far bytes that are not zero reach behind the end of the log: what a crash tore, or what
    /// a writer is just adding. The seal frame of a roll that no manifest names is not counted, for
    /// the next opening makes that roll again. Cost: a read of the size that was set ahead.
    package func tornByteCount() throws(DaybookError) -> Int {
        // Behind the end of a backup may stand a part of the next one, which is being made.
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
