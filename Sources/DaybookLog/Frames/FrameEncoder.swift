import DaybookBytes

/// Lays frames one behind the other into a buffer, each chained from the one before.
struct FrameEncoder {
    /// Store and segment, as ``StoreIdentity/seed(segment:)`` folds them.
    let seed: UInt64
    /// The check of the last frame, or of the segment's header before the first.
    private(set) var check: UInt64

    init(seed: UInt64, check: UInt64) {
        self.seed = seed
        self.check = check
    }

    /// Appends one frame: header, payload, padding, trailer. `header.storedLength` is set here.
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
