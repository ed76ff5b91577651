package import DaybookBytes

/// Payloads between memory and disk: compression, the transform that the layer above supplies, and
/// the dictionaries that the manifest names.
package struct PayloadCodec: Sendable {
    /// Below this a payload is not worth compressing (zstd's own overhead is 9 to 13 bytes).
    static let compressedLengthMin = 96
    /// What compression has to gain to be worth undoing at each read.
    private static let gainMin = 8

    package let transform: (any PayloadTransform)?
    package var dictionary: ZstdDictionary?
    /// Above this a payload is stored raw, for the compressor takes no more.
    var compressedLengthMax = Zstd.rawLengthMax

    package init(transform: (any PayloadTransform)?, dictionary: ZstdDictionary? = nil) {
        self.transform = transform
        self.dictionary = dictionary
    }

    /// The dictionary's number as frames name it; 0 where there is none.
    private var dictionaryID: UInt16 { UInt16(truncatingIfNeeded: dictionary?.id ?? 0) }

    /// A payload as it is stored.
    package struct Deflated: Sendable {
        package var stored: [UInt8]
        package var codec: FrameCodec
        package var dictionary: UInt16
    }

    /// A payload as it will be stored: the smallest of transformed and compressed, compressed, and
    /// raw that is seen to give the payload back. What it stands for may be thrown away afterwards,
    /// so neither the transform nor the compressor is taken at its word.
    ///
    /// Cost: two compressions at `level`, and an inflation of each that is tried. A payload above
    /// ``compressedLengthMax`` stays raw.
    package func deflate(_ payload: Span<UInt8>, level: Int) throws(DaybookError) -> Deflated {
        let raw = payload.array
        guard raw.count >= Self.compressedLengthMin, raw.count <= compressedLengthMax else {
            return Deflated(stored: raw, codec: .raw, dictionary: 0)
        }
        let plain = try compressed(payload, level: level)
        let transformed = try transformed(payload, level: level)
        if let transformed, transformed.stored.count < plain.stored.count,
            gives(raw, back: transformed)
        {
            return transformed
        }
        if plain.stored.count + Self.gainMin < raw.count, gives(raw, back: plain) { return plain }
        return Deflated(stored: raw, codec: .raw, dictionary: 0)
    }

    private func compressed(
        _ payload: Span<UInt8>, level: Int
    ) throws(DaybookError) -> Deflated {
        Deflated(
            stored: try Zstd.compress(payload, level: level, dictionary: dictionary),
            codec: .zstd, dictionary: dictionaryID)
    }

    /// Nil where the transform does not know the payload, or where that gains nothing.
    private func transformed(
        _ payload: Span<UInt8>, level: Int
    ) throws(DaybookError) -> Deflated? {
        guard let transformed = transform?.forward(payload),
            transformed.count <= compressedLengthMax
        else { return nil }
        let squeezed = try Zstd.compress(transformed.span, level: level, dictionary: dictionary)
        guard squeezed.count + 4 + Self.gainMin < payload.count else { return nil }
        var writer = ByteWriter(capacity: squeezed.count + 4)
        writer.uint32(UInt32(transformed.count))
        writer.append(squeezed.span)
        return Deflated(
            stored: writer.bytes, codec: .transformedZstd, dictionary: dictionaryID)
    }

    private func gives(_ raw: [UInt8], back deflated: Deflated) -> Bool {
        let inflated = try? inflate(
            deflated.stored.span, deflated.codec, dictionary: deflated.dictionary,
            rawLength: raw.count)
        return inflated == raw
    }

    /// The payload that `header` describes; every allocation is bounded by its lengths.
    func inflate(_ stored: Span<UInt8>, _ header: FrameHeader) throws(DaybookError) -> [UInt8] {
        try inflate(
            stored, header.codec, dictionary: header.dictionary, rawLength: header.rawLength)
    }

    private func inflate(
        _ stored: Span<UInt8>, _ codec: FrameCodec, dictionary number: UInt16, rawLength: Int
    ) throws(DaybookError) -> [UInt8] {
        if number != 0, number != dictionaryID {
            throw DaybookError(
                .corruption,
                "A frame needs dictionary \(number), which the manifest does not name.",
                details: ["dictionary": String(number)])
        }
        let needed = number == 0 ? nil : dictionary
        switch codec {
        case .raw:
            return stored.array
        case .zstd:
            return try Zstd.decompress(
                stored, rawLength: rawLength, dictionary: needed)
        case .transformedZstd:
            guard let transform, let length = stored.loadLittleEndian(UInt32.self, at: 0),
                Int(length) <= 2 * rawLength + 4096
            else {
                throw DaybookError(
                    .corruption, "A frame's transformed payload announces an impossible length.")
            }
            let transformed = try Zstd.decompress(
                stored.extracting(4..<stored.count), rawLength: Int(length), dictionary: needed)
            return try transform.inverse(transformed.span, rawLength: rawLength)
        }
    }
}
