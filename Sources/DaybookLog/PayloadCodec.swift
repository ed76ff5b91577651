package import DaybookBytes

/// Payloads between memory and disk: compression, the transform that the layer above supplies, and
/// the dictionaries that the manifest names.
package struct PayloadCodec: Sendable {
    /// Below this a payload is not worth compressing (zstd's own overhead is 9 to 13 bytes).
    static let compressedLengthMin = 96

    package let transform: (any PayloadTransform)?
    package var dictionary: ZstdDictionary?

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

    /// A payload as it will be stored: the smallest of raw, compressed, and transformed and
    /// compressed. Cost: two compressions at `level`.
    package func deflate(_ payload: Span<UInt8>, level: Int) throws(DaybookError) -> Deflated {
        let raw = Deflated(stored: payload.array, codec: .raw, dictionary: 0)
        guard payload.count >= Self.compressedLengthMin else { return raw }
        let plain = try Zstd.compress(payload, level: level, dictionary: dictionary)
        var best = Deflated(stored: plain, codec: .zstd, dictionary: dictionaryID)
        if let transformed = transform?.forward(payload) {
            let squeezed = try Zstd.compress(transformed.span, level: level, dictionary: dictionary)
            if squeezed.count + 4 < best.stored.count {
                var writer = ByteWriter(capacity: squeezed.count + 4)
                writer.uint32(UInt32(transformed.count))
                writer.append(squeezed.span)
                best = Deflated(
                    stored: writer.bytes, codec: .transformedZstd, dictionary: dictionaryID)
            }
        }
        if best.stored.count + 8 < payload.count { return best }
        return raw
    }

    /// The payload that `header` describes; every allocation is bounded by its lengths.
    func inflate(_ stored: Span<UInt8>, _ header: FrameHeader) throws(DaybookError) -> [UInt8] {
        if header.dictionary != 0, header.dictionary != dictionaryID {
            throw DaybookError(
                .corruption,
                "A frame needs dictionary \(header.dictionary), which the manifest does not name.",
                details: ["dictionary": String(header.dictionary)])
        }
        let needed = header.dictionary == 0 ? nil : dictionary
        switch header.codec {
        case .raw:
            return stored.array
        case .zstd:
            return try Zstd.decompress(
                stored, rawLength: header.rawLength, dictionary: needed)
        case .transformedZstd:
            guard let transform, let length = stored.loadLittleEndian(UInt32.self, at: 0),
                Int(length) <= 2 * header.rawLength + 4096
            else {
                throw DaybookError(
                    .corruption, "A frame's transformed payload announces an impossible length.")
            }
            let transformed = try Zstd.decompress(
                stored.extracting(4..<stored.count), rawLength: Int(length), dictionary: needed)
            return try transform.inverse(transformed.span, rawLength: header.rawLength)
        }
    }
}
