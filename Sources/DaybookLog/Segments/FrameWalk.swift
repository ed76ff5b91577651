import DaybookBytes

/// Visits the headers of a segment's frames, for a search that needs few of the frames.
///
/// Of the other frames it reads only the headers, which have checks of their own. Reads the file
/// through a window, which grows while the frames are small or needed.
struct FrameWalk {
    private static let windowBytesMin = 1 << 10
    private static let windowBytesMax = 256 << 10

    let segment: Segment
    /// No frame extends beyond this offset.
    private let limit: Int
    /// The offset of the current frame, or of the first one before the first call of ``next()``.
    private(set) var offset: Int
    private var current: FrameHeader?
    private var sequence: UInt64
    private var window: [UInt8] = []
    private var windowOffset = 0

    /// Starts at `offset`, where a frame begins; `limit` is the end of a frame.
    init(_ segment: Segment, from offset: Int, limit: Int) {
        self.segment = segment
        self.offset = offset
        self.limit = limit
        sequence = segment.firstSequence - 1
    }

    /// The header of the next frame; nil at the limit. Throws `.corruption` if there is no header.
    mutating func next() throws(DaybookError) -> FrameHeader? {
        if let current {
            offset += current.frameLength
            sequence = max(sequence, current.lastSequence)
        }
        current = nil
        guard offset < limit else { return nil }
        try load(LogFormat.FrameHeader.length)
        let start = offset - windowOffset
        guard start <= window.count,
            let header = try FrameHeader.decode(
                window.span.extracting(start..<window.count), seed: segment.seed),
            offset + header.frameLength <= limit
        else { throw damaged }
        current = header
        return header
    }

    /// Reads, checks and decodes the payload of the current frame, which has that header.
    mutating func payload(
        _ header: FrameHeader, _ codec: PayloadCodec
    ) throws(DaybookError) -> [UInt8] {
        try load(header.frameLength)
        let start = offset - windowOffset
        guard start + header.frameLength <= window.count else { throw damaged }
        let frame = window.span.extracting(start..<(start + header.frameLength))
        // A damaged header of the segment is read as it was written.
        let previous =
            offset == segment.start.offset
            ? segment.headerCheck
            : window.span.loadLittleEndian(UInt64.self, at: start - LogFormat.trailerLength)
        guard let previous, Segment.isIntact(frame, header, after: previous) else { throw damaged }
        return try segment.inflate(frame, header, codec)
    }

    private var damaged: DaybookError {
        .corruption(
            segment: segment.number, offset: offset, after: sequence, "a frame fails its check")
    }

    /// Loads the check before the current frame and `length` bytes from its offset, as far as the
    /// file has them.
    private mutating func load(_ length: Int) throws(DaybookError) {
        let start = offset - LogFormat.trailerLength
        let end = min(offset + length, limit)
        let windowEnd = windowOffset + window.count
        if start >= windowOffset, end <= windowEnd { return }
        // After a frame that was skipped, the next one may be skipped as well.
        let grown =
            start <= windowEnd
            ? min(max(window.count * 4, Self.windowBytesMin), Self.windowBytesMax)
            : Self.windowBytesMin
        window = try segment.file.read(max(end - start, min(grown, limit - start)), at: start)
        windowOffset = start
    }
}
