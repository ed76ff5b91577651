package import DaybookBytes

/// Walks frames of records in the order of time, across segments, each checked along its chain.
package struct LogScanner {
    /// One frame, inflated.
    package struct Frame: Sendable {
        package var header: FrameHeader
        package var segment: UInt32
        package var offset: Int
        package var payload: [UInt8]
        /// The place behind it.
        package var next: LogPosition

        /// The place of a record in it.
        package func location(recordOffset: Int) -> Location {
            Location(segment: segment, frameOffset: offset, recordOffset: recordOffset)
        }
    }

    private let log: Log
    private let codec: PayloadCodec
    private let until: LogPosition
    /// Segments still to come, with the length that counts.
    private var waiting: ArraySlice<(segment: Segment, limit: Int, isSealed: Bool)>
    private var current: (scanner: SegmentScanner, isSealed: Bool)?
    private var sequence: UInt64

    init(_ log: Log, from position: LogPosition?, until: LogPosition) throws(DaybookError) {
        self.log = log
        self.until = until
        codec = log.codec.withLock { $0 }
        sequence = position?.sequence ?? 0
        var all: [(segment: Segment, limit: Int, isSealed: Bool)] = []
        for entry in log.manifest.sealed {
            guard let segment = log.segment(entry.number) else { continue }
            let limit = entry.sealOffset > 0 ? entry.sealOffset : entry.length
            all.append((segment, limit, true))
        }
        if let active = log.segment(until.segment), all.last?.segment.number != until.segment {
            all.append((active, until.offset, false))
        }
        guard let position else {
            waiting = all[...]
            return
        }
        guard let index = all.firstIndex(where: { $0.segment.number == position.segment }) else {
            throw DaybookError(
                .historyTruncated,
                "The log was compacted, and the place in segment \(position.segment) is gone.",
                details: ["segment": String(position.segment)])
        }
        waiting = all[(index + 1)...]
        let first = all[index]
        current = (
            SegmentScanner(first.segment, from: position, limit: first.limit), first.isSealed
        )
    }

    /// The frames of one segment alone.
    init(_ log: Log, only entry: SegmentEntry) throws(DaybookError) {
        guard let segment = log.segment(entry.number) else {
            throw .corruption(segment: entry.number, offset: 0, "its file is missing")
        }
        self.log = log
        until = segment.start
        codec = log.codec.withLock { $0 }
        sequence = entry.firstSequence - 1
        let limit = entry.sealOffset > 0 ? entry.sealOffset : entry.length
        waiting = [(segment, limit, true)][...]
    }

    /// The next frame, or nil at the end of the log as it stood when the scan began. A frame that
    /// fails its check before that end is `.corruption`.
    package mutating func next() throws(DaybookError) -> Frame? {
        while true {
            guard let frame = try current?.scanner.next() else {
                if let (scanner, _) = current, scanner.offset < scanner.limit {
                    throw .corruption(
                        segment: scanner.segment.number, offset: scanner.offset, after: sequence,
                        "a frame fails its check")
                }
                guard let following = waiting.popFirst() else { return nil }
                current = (
                    SegmentScanner(
                        following.segment, from: following.segment.start, limit: following.limit),
                    following.isSealed
                )
                continue
            }
            guard frame.header.kind == FrameKind.records else {
                let kind = frame.header.kind
                if kind >= FrameKind.skippableFrom || kind == FrameKind.seal {
                    continue
                }
                throw .formatTooNew(found: LogFormat.version + 1, file: "a frame")
            }
            return try inflate(frame)
        }
    }

    private mutating func inflate(_ frame: SegmentScanner.Frame) throws(DaybookError) -> Frame? {
        guard let segment = current?.scanner.segment else { return nil }
        sequence = frame.header.lastSequence
        let payload = try segment.inflate(frame.bytes.span, frame.header, codec)
        return Frame(
            header: frame.header, segment: segment.number, offset: frame.offset, payload: payload,
            next: LogPosition(
                segment: segment.number, offset: frame.offset + frame.header.frameLength,
                check: frame.check, sequence: frame.header.lastSequence))
    }
}
