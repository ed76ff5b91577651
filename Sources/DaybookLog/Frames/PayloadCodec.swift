package import DaybookBytes

/// Encodes payloads for disk: compression, after a transform that the module above supplies.
package struct PayloadCodec: Sendable {
    /// The minimum length of a payload worth compressing (zstd's own overhead is 9 to 13 bytes).
    static let compressedLengthMin = 96
    /// The minimum gain, as a fraction, that justifies decompression at each read.
    private static let gainMin = 8
    /// Longer payloads are compressed without a dictionary, because they gain little from it.
    static let dictionaryPayloadLengthMax = 32 << 10

    package let transform: (any PayloadTransform)?
    /// Longer payloads are stored raw, because the compressor does not accept them.
    var compressedLengthMax = Zstd.rawLengthMax

    package init(transform: (any PayloadTransform)?) { self.transform = transform }

    /// An encoded payload.
    package struct Deflated: Sendable {
        package var stored: [UInt8]
        package var codec: FrameCodec
        /// Whether decoding needs the dictionary.
        package var usesDictionary = false
    }

    /// Encodes a payload in the smallest form: transformed and compressed, compressed, or raw. An
    /// encoded form is used only if decoding it gives the payload, because the caller may then
    /// delete the original.
    ///
    /// A payload that the transform makes clearly smaller is not compressed without it.
    ///
    /// Cost: one or two compressions at `level`, and a decompression of each candidate. A payload
    /// above ``compressedLengthMax`` stays raw.
    ///
    /// - Parameter dictionary: the dictionary of the segment. It is used for payloads up to
    ///   ``dictionaryPayloadLengthMax``.
    package func deflate(
        _ payload: Span<UInt8>, level: Int, dictionary: ZstdDictionary? = nil
    ) throws(DaybookError) -> Deflated {
        let raw = payload.array
        guard raw.count >= Self.compressedLengthMin, raw.count <= compressedLengthMax else {
            return Deflated(stored: raw, codec: .raw)
        }
        let dictionary = raw.count <= Self.dictionaryPayloadLengthMax ? dictionary : nil
        let transformed = try transformed(payload, level, dictionary)
        if let transformed, transformed.stored.count <= raw.count / 2,
            gives(raw, back: transformed, dictionary)
        {
            return transformed
        }
        let plain = Deflated(
            stored: try Zstd.compress(payload, level: level, dictionary: dictionary),
            codec: .zstd, usesDictionary: dictionary != nil)
        if let transformed, transformed.stored.count < plain.stored.count,
            gives(raw, back: transformed, dictionary)
        {
            return transformed
        }
        if plain.stored.count + Self.gainMin < raw.count, gives(raw, back: plain, dictionary) {
            return plain
        }
        return Deflated(stored: raw, codec: .raw)
    }

    /// The bytes that the compressor is likely to receive for a payload: a sample for training.
    func sample(_ payload: Span<UInt8>) -> [UInt8] {
        transform?.forward(payload) ?? payload.array
    }

    /// Nil if the transform does not apply to the payload or does not make it smaller.
    private func transformed(
        _ payload: Span<UInt8>, _ level: Int, _ dictionary: ZstdDictionary?
    ) throws(DaybookError) -> Deflated? {
        guard let transformed = transform?.forward(payload),
            transformed.count <= compressedLengthMax
        else { return nil }
        let squeezed = try Zstd.compress(
            transformed.span, level: level, dictionary: dictionary)
        guard squeezed.count + 4 + Self.gainMin < payload.count else { return nil }
        var writer = ByteWriter(capacity: squeezed.count + 4)
        writer.uint32(UInt32(transformed.count))
        writer.append(squeezed.span)
        return Deflated(
            stored: writer.bytes, codec: .transformedZstd, usesDictionary: dictionary != nil)
    }

    private func gives(
        _ raw: [UInt8], back deflated: Deflated, _ dictionary: ZstdDictionary?
    ) -> Bool {
        let inflated = try? inflate(
            deflated.stored.span, deflated.codec, rawLength: raw.count,
            dictionary.map { .zstd($0) })
        return inflated == raw
    }

    /// Packs a payload; nil if the transform does not pack it, or not to fewer bytes. The packed
    /// form is used only if decoding it gives the payload.
    ///
    /// Cost: an encoding and a decoding, some 0.3 µs for each record.
    func pack(
        _ payload: Span<UInt8>, _ encoder: TokenEncoder?, _ tokens: TokenTable?
    ) -> Deflated? {
        guard payload.count >= Self.compressedLengthMin,
            let stored = transform?.pack(payload, encoder),
            stored.count + Self.gainMin < payload.count,
            let restored = try? transform?.unpack(
                stored, rawLength: payload.count, tokens: tokens
            ).payload(), restored == payload.array
        else { return nil }
        return Deflated(stored: stored, codec: .packed, usesDictionary: tokens != nil)
    }

    /// The records of a packed payload. Throws `.corruption` for a dictionary of another kind.
    func unpack(
        _ stored: Span<UInt8>, rawLength: Int, dictionary: SegmentDictionary?
    ) throws(DaybookError) -> any PackedRecords {
        try packing.unpack(stored.array, rawLength: rawLength, tokens: try dictionary?.tokens)
    }

    /// Decodes one record of a packed payload. Throws `.corruption` if no record starts at
    /// `offset`, for invalid bytes, and for a dictionary of another kind.
    func record(
        at offset: Int, ofPacked stored: Span<UInt8>, rawLength: Int,
        dictionary: SegmentDictionary?
    ) throws(DaybookError) -> [UInt8] {
        try packing.record(
            at: offset, ofPacked: stored, rawLength: rawLength, tokens: try dictionary?.tokens)
    }

    /// The transform that reads packed payloads.
    private var packing: any PayloadTransform {
        get throws(DaybookError) {
            guard let transform else {
                throw DaybookError(
                    .corruption, "A frame is packed, and the log has no transform to read it.")
            }
            return transform
        }
    }

    /// Decodes the payload that `header` describes. The header's lengths bound every allocation.
    func inflate(
        _ stored: Span<UInt8>, _ header: FrameHeader, dictionary: SegmentDictionary? = nil
    ) throws(DaybookError) -> [UInt8] {
        try inflate(stored, header.codec, rawLength: header.rawLength, dictionary)
    }

    private func inflate(
        _ stored: Span<UInt8>, _ codec: FrameCodec, rawLength: Int,
        _ dictionary: SegmentDictionary?
    ) throws(DaybookError) -> [UInt8] {
        switch codec {
        case .raw:
            return stored.array
        case .packed:
            return try unpack(stored, rawLength: rawLength, dictionary: dictionary).payload()
        case .zstd:
            return try Zstd.decompress(
                stored, rawLength: rawLength, dictionary: try dictionary?.compression)
        case .transformedZstd:
            guard let transform, let length = stored.loadLittleEndian(UInt32.self, at: 0),
                Int(length) <= 2 * rawLength + 4096
            else {
                throw DaybookError(
                    .corruption, "A frame's transformed payload has an invalid length.")
            }
            let transformed = try Zstd.decompress(
                stored.extracting(4..<stored.count), rawLength: Int(length),
                dictionary: try dictionary?.compression)
            return try transform.inverse(transformed.span, rawLength: rawLength)
        }
    }
}
