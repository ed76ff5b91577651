import DaybookBytes

/// How the payloads of a sealed segment are stored.
///
/// Payloads with current versions are packed if that costs little space, so that a random read
/// decodes one record. Superseded versions and texts that need a compressor are compressed.
struct SegmentEncoding {
    /// The dictionary and its stored form.
    struct Stored {
        let dictionary: SegmentDictionary
        let bytes: [UInt8]
        let codec: FrameCodec
    }

    let codec: PayloadCodec
    let level: Int
    /// The dictionary to store with the segment.
    private(set) var stored: Stored?
    private var compression: ZstdDictionary?
    private var tokens: TokenTable?
    private var encoder: TokenEncoder?
    private var isPacking = false

    /// Compression without a dictionary.
    init(_ codec: PayloadCodec, level: Int) {
        self.codec = codec
        self.level = level
    }

    /// Packed payloads may take this much more space than compressed ones, because a random read of
    /// them costs a fraction.
    static let packedLengthRatio = 1.2

    /// The smallest form of a payload that suits its use.
    func encode(_ payload: FramePayload) throws(DaybookError) -> PayloadCodec.Deflated {
        let span = payload.bytes.span
        guard isPacking, !payload.isSuperseded, let packed = codec.pack(span, encoder, tokens)
        else { return try codec.deflate(span, level: level, dictionary: compression) }
        // Only long texts make the packed form so long, and they usually compress better.
        guard packed.stored.count > span.count / 2 else { return packed }
        let compressed = try codec.deflate(span, level: level)
        let lengthMax = Double(compressed.stored.count) * Self.packedLengthRatio
        return Double(packed.stored.count) <= lengthMax ? packed : compressed
    }

    mutating func compress(with dictionary: ZstdDictionary) throws(DaybookError) {
        compression = dictionary
        stored = try store(.zstd(dictionary))
    }

    /// - Parameter tokens: the table of the texts; nil to store texts as they are.
    mutating func pack(with tokens: TokenTable?) throws(DaybookError) {
        isPacking = true
        self.tokens = tokens
        encoder = tokens.map { TokenEncoder($0) }
        stored = try tokens.map { tokens throws(DaybookError) in try store(.tokens(tokens)) }
    }

    private func store(_ dictionary: SegmentDictionary) throws(DaybookError) -> Stored {
        let content = dictionary.bytes
        let compressed = try Zstd.compress(content.span, level: level)
        let isSmaller = compressed.count < content.count
        return Stored(
            dictionary: dictionary, bytes: isSmaller ? compressed : content,
            codec: isSmaller ? .zstd : .raw)
    }
}
