import DaybookBytes

/// Iterates over a segment's frames and verifies the chain of checks. Reads the file through a
/// window.
struct SegmentScanner {
    /// A frame that passed its check.
    struct Frame {
        var header: FrameHeader
        var offset: Int
        /// The check that the next frame is chained from.
        var check: UInt64
        /// Header, stored payload, padding and trailer.
        var bytes: [UInt8]
    }

    private static let windowBytesMin = 64 << 10
    private static let windowBytesMax = 1 << 20

    let segment: Segment
    /// No frame extends beyond this offset.
    let limit: Int
    /// The offset of the next frame, and its seed.
    private(set) var offset: Int
    private(set) var check: UInt64
    private var window: [UInt8] = []
    private var windowOffset = 0

    /// Starts at `position`; `limit` is the sealed length, or the size of the file.
    init(_ segment: Segment, from position: LogPosition, limit: Int) {
        self.segment = segment
        self.limit = limit
        offset = position.offset
        check = position.check
    }

    /// The next frame; nil if no complete frame follows that fits the chain.
    mutating func next() throws(DaybookError) -> Frame? {
        guard offset + LogFormat.FrameHeader.length <= limit else { return nil }
        try load(LogFormat.FrameHeader.length)
        var start = offset - windowOffset
        guard start + LogFormat.FrameHeader.length <= window.count,
            let header = try FrameHeader.decode(
                window.span.extracting(start..<window.count), seed: segment.seed),
            offset + header.frameLength <= limit
        else { return nil }
        try load(header.frameLength)
        start = offset - windowOffset
        guard start + header.frameLength <= window.count else { return nil }
        let bytes = Array(window[start..<(start + header.frameLength)])
        guard Segment.isIntact(bytes.span, header, after: check),
            let trailer = bytes.span.loadLittleEndian(
                UInt64.self, at: header.frameLength - LogFormat.trailerLength)
        else { return nil }
        let frame = Frame(header: header, offset: offset, check: trailer, bytes: bytes)
        offset += header.frameLength
        check = trailer
        return frame
    }

    /// Loads `length` bytes from `offset` into the window, as far as the file has them.
    private mutating func load(_ length: Int) throws(DaybookError) {
        let end = min(offset + length, limit)
        if offset >= windowOffset, end <= windowOffset + window.count { return }
        let grown = min(max(window.count * 4, Self.windowBytesMin), Self.windowBytesMax)
        let wanted = max(length, min(grown, limit - offset))
        window = try segment.file.read(wanted, at: offset)
        windowOffset = offset
    }
}
