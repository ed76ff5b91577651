package import DaybookBytes

/// Iterates over the frames that may contain some records, in the order of the log.
///
/// It takes a frame from the cache, or reads and checks it. Of the frames between, it reads only
/// the headers.
package struct LogSearch {
    /// A part of a segment.
    struct Part {
        var segment: Segment
        /// The offset of the first frame.
        var start: Int
        var limit: Int
    }

    private let log: Log
    private let filter: FrameFilter
    /// The parts that the search has not reached.
    private var waiting: ArraySlice<Part>
    private var walk: FrameWalk?

    /// Searches parts of segments, which the search retains.
    init(_ log: Log, _ parts: [Part], _ filter: FrameFilter) {
        self.log = log
        self.filter = filter
        waiting = parts[...]
    }

    /// The next frame, or nil at the end that the log had when the search began.
    ///
    /// Throws `.corruption` for a header or a returned frame that fails its check, and
    /// `.interrupted` if the asynchronous operation of this thread was cancelled.
    package mutating func next() throws(DaybookError) -> LogScanner.Frame? {
        try OperationCancellation.checkCurrent()
        while true {
            guard let header = try walk?.next() else {
                guard let part = waiting.popFirst() else { return nil }
                walk = FrameWalk(part.segment, from: part.start, limit: part.limit)
                continue
            }
            guard try FrameKind.isRecords(header.kind), filter.accepts(header) else { continue }
            return try frame(header)
        }
    }

    private mutating func frame(_ header: FrameHeader) throws(DaybookError) -> LogScanner.Frame? {
        guard let (segment, offset) = walk.map({ ($0.segment, $0.offset) }) else { return nil }
        var frame = LogScanner.Frame(
            header: header, segment: segment.number, offset: offset, payload: [])
        if let cached = try log.cachedPayload(of: frame, segment) {
            frame.payload = cached
        } else if let payload = try walk?.payload(header, log.codec) {
            frame.payload = payload
        }
        return frame
    }
}

extension Log {
    /// Caches a frame that a search returned, for the next search of the same records.
    package func keep(_ frame: LogScanner.Frame) {
        guard frame.offset <= Location.frameOffsetMax, segment(frame.segment) != nil else { return }
        cache.insert(
            InflatedFrame(bytes: frame.payload),
            at: Location(segment: frame.segment, frameOffset: frame.offset, recordOffset: 0)
                .frameKey)
    }

    /// The payload of a frame, if it is in the cache.
    fileprivate func cachedPayload(
        of frame: LogScanner.Frame, _ segment: Segment
    ) throws(DaybookError) -> [UInt8]? {
        guard frame.offset <= Location.frameOffsetMax else { return nil }
        let place = Location(
            segment: segment.number, frameOffset: frame.offset, recordOffset: 0)
        // Another segment may use the slot of a segment that only this search retains.
        guard self.segment(segment.number) === segment,
            let cached = try cache.find(place.frameKey)?.payload,
            cached.bytes.count == frame.header.rawLength
        else { return nil }
        return cached.bytes
    }
}
