package import DaybookBytes

/// Iterates over frames of records, oldest first, across segments, and verifies the chain of
/// checks.
package struct LogScanner {
    /// A decompressed frame.
    package struct Frame: Sendable {
        package var header: FrameHeader
        package var segment: UInt64
        package var offset: Int
        package var payload: [UInt8]

        /// The offset after the frame.
        package var end: Int { offset + header.frameLength }

        /// The location of a record in the frame. Throws `.corruption` for an offset out of range,
        /// which the log never writes.
        package func location(recordOffset: Int) throws(DaybookError) -> Location {
            guard offset <= Location.frameOffsetMax, recordOffset <= Location.recordOffsetMax else {
                throw .corruption(
                    segment: segment, offset: offset, after: header.firstSequence - 1,
                    "a record begins at byte \(recordOffset) of its frame, which is out of range")
            }
            return Location(segment: segment, frameOffset: offset, recordOffset: recordOffset)
        }
    }

    /// A part of a segment.
    struct Part {
        var segment: Segment
        var start: LogPosition
        var limit: Int

        init(_ segment: Segment, from start: LogPosition, limit: Int) {
            self.segment = segment
            self.start = start
            self.limit = limit
        }

        /// All frames of a segment.
        init(_ segment: Segment, _ entry: SegmentEntry) {
            self.init(
                segment, from: segment.start,
                limit: entry.sealOffset > 0 ? entry.sealOffset : entry.length)
        }
    }

    /// The segments of the scan. While the caller retains them, their records stay readable, even
    /// during a compaction.
    package let segments: [Segment]
    private let codec: PayloadCodec
    /// Segments that the scan has not reached.
    private var waiting: ArraySlice<Part>
    private var current: SegmentScanner?
    private var sequence: UInt64

    init(
        _ log: Log, from position: LogPosition?, in logView: LogView
    ) throws(DaybookError) {
        codec = log.codec
        sequence = position?.sequence ?? 0
        var parts: [Part] = []
        for entry in logView.entries {
            parts.append(Part(try logView.segment(entry.number), entry))
        }
        segments = parts.map(\.segment)
        waiting = parts[...]
        guard let position else { return }
        guard let index = parts.firstIndex(where: { $0.segment.number == position.segment }) else {
            throw DaybookError(
                .historyTruncated,
                "The log was compacted; its segment \(position.segment) no longer exists.",
                details: ["segment": String(position.segment)])
        }
        waiting = parts[(index + 1)...]
        current = SegmentScanner(parts[index].segment, from: position, limit: parts[index].limit)
    }

    /// Creates a scanner of one segment.
    init(_ log: Log, only entry: SegmentEntry) throws(DaybookError) {
        guard let segment = log.segment(entry.number) else {
            throw .corruption(segment: entry.number, offset: 0, "its file is missing")
        }
        codec = log.codec
        sequence = entry.firstSequence - 1
        segments = [segment]
        waiting = [Part(segment, entry)][...]
    }

    /// The position after the frame that was returned last.
    package var position: LogPosition? {
        current.map {
            LogPosition(
                segment: $0.segment.number, offset: $0.offset, check: $0.check, sequence: sequence)
        }
    }

    /// The next frame, or nil at the end that the log had when the scan began.
    ///
    /// Throws `.corruption` for a frame before that end that fails its check, and `.interrupted` if
    /// the asynchronous operation of this thread was cancelled. An interrupted scan may continue.
    package mutating func next() throws(DaybookError) -> Frame? {
        try OperationCancellation.checkCurrent()
        while true {
            guard let frame = try current?.next() else {
                if let scanner = current, scanner.offset < scanner.limit {
                    throw .corruption(
                        segment: scanner.segment.number, offset: scanner.offset, after: sequence,
                        "a frame fails its check")
                }
                guard let following = waiting.popFirst() else { return nil }
                current = SegmentScanner(
                    following.segment, from: following.start, limit: following.limit)
                continue
            }
            guard try FrameKind.isRecords(frame.header.kind) else { continue }
            return try inflate(frame)
        }
    }

    private mutating func inflate(_ frame: SegmentScanner.Frame) throws(DaybookError) -> Frame? {
        guard let segment = current?.segment else { return nil }
        sequence = frame.header.lastSequence
        let payload = try segment.inflate(frame.bytes.span, frame.header, codec)
        return Frame(
            header: frame.header, segment: segment.number, offset: frame.offset, payload: payload)
    }
}
