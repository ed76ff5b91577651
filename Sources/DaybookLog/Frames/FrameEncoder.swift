import DaybookBytes

/// Appends chained frames to a buffer.
struct FrameEncoder {
    /// The seed of the header checks, from ``StoreIdentity/seed(segment:)``.
    let seed: UInt64
    /// The check of the last frame, or of the segment's header before the first frame.
    private(set) var check: UInt64

    init(seed: UInt64, check: UInt64) {
        self.seed = seed
        self.check = check
    }

    /// Appends one frame: header, payload, padding, trailer. Sets `header.storedLength`.
    mutating func append(
        _ stored: Span<UInt8>, _ header: FrameHeader, to writer: inout ByteWriter
    ) {
        var header = header
        header.storedLength = stored.count
        let start = writer.count
        header.write(to: &writer, seed: seed)
        writer.append(stored)
        check = Self.check(of: writer.span.extracting(start..<writer.count), after: check)
        writer.zeros(LogFormat.padding(after: stored.count))
        writer.uint64(check)
    }

    /// The check of a frame's header and stored payload.
    static func check(of headerAndPayload: Span<UInt8>, after previous: UInt64) -> UInt64 {
        XXH64.hash(headerAndPayload, seed: previous)
    }
}
