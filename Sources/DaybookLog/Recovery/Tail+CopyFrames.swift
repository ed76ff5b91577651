import DaybookBytes

extension Tail {
    /// Copies the frames of `old` between two positions to the end of this segment and chains them
    /// again. Payloads, sequences and times stay. Returns their number.
    mutating func copyFrames(
        of old: Segment, from place: LogPosition, until end: Int, durable: UInt64
    ) throws(DaybookError) -> Int {
        var scanner = SegmentScanner(old, from: place, limit: end)
        var encoder = FrameEncoder(seed: segment.seed, check: check)
        var count = 0
        while let frame = try scanner.next() {
            var header = frame.header
            header.durableSequence = durable
            let start = LogFormat.FrameHeader.length
            let payload = frame.bytes.span.extracting(start..<(start + header.storedLength))
            buffer.removeAll()
            encoder.append(payload, header, to: &buffer)
            try segment.file.write(buffer.span, at: offset)
            let isOfRecords = header.kind == FrameKind.records
            if isOfRecords {
                sparseIndex.note(offset: offset, firstSequence: header.firstSequence)
                lastSequence = header.lastSequence
            }
            acceptBuffer()
            check = encoder.check
            rawBytes += header.rawLength
            recordCount += Int(header.recordCount)
            count += 1
        }
        guard scanner.offset == end else {
            throw .corruption(
                segment: old.number, offset: scanner.offset, "a frame fails its check")
        }
        allocated = offset
        return count
    }
}

extension SegmentEntry {
    /// Creates the seal of the frames before `position`; later frames have moved to another
    /// segment.
    init(cutting segment: Segment, at position: LogPosition) throws(DaybookError) {
        var tail = try Tail(startOf: segment)
        tail.offset = position.offset
        tail.check = position.check
        tail.hash = nil
        try tail.completeFromFile()
        self.init(
            number: segment.number, firstSequence: segment.firstSequence,
            lastSequence: position.sequence, length: position.offset,
            hash: tail.hash?.digest() ?? 0, sealOffset: 0, rawBytes: tail.rawBytes,
            recordCount: tail.recordCount, isBlocked: false)
    }
}
