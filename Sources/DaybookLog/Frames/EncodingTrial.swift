import DaybookBytes

/// Chooses the encoding of a segment from its first payloads, and trains its dictionary.
///
/// Small payloads compress badly alone. A dictionary contains their common content: the
/// descriptions of their columns, frequent texts, and the code tables of the compressor. A table of
/// tokens contains the frequent parts of texts.
struct EncodingTrial {
    let codec: PayloadCodec
    let level: Int
    /// The first payloads.
    let payloads: [FramePayload]
    /// Whether more payloads will follow, which share the cost of the dictionary.
    let isPrefix: Bool

    /// The maximum length of the compressor's dictionary. Twice as much saves another percent and
    /// leaves the cache of a core.
    private static let lengthMax = 64 << 10
    /// Shorter payloads have no dictionary: training takes at least 6 ms, whatever the length.
    private static let payloadsLengthMin = 8 << 10
    /// The samples are this many times as long as the compressor's dictionary.
    private static let sampleRatio = 12
    /// The number of frames with the dictionary in a segment.
    private static let copyCount = 2
    /// The number of payloads that are encoded in each way, to compare the lengths.
    private static let trialCount = 48
    /// A table of tokens that is shared with payloads after the sample counts for less.
    private static let prefixCostDivisor = 8

    /// The encoding for the sample and the payloads after it.
    ///
    /// Cost: about 0.3 s for each MB of payloads. Payloads below 8 KiB together are compressed
    /// without a dictionary.
    func encoding() throws(DaybookError) -> SegmentEncoding {
        var compressed = SegmentEncoding(codec, level: level)
        let small = payloads.filter {
            $0.bytes.count <= PayloadCodec.dictionaryPayloadLengthMax
        }
        guard small.reduce(0, { $0 + $1.bytes.count }) >= Self.payloadsLengthMin else {
            return compressed
        }
        if let dictionary = try dictionary(for: small) {
            try compressed.compress(with: dictionary)
        }
        guard let packed = try packing(for: small) else { return compressed }
        let lengthMax = Double(try length(compressed, small)) * SegmentEncoding.packedLengthRatio
        return Double(try length(packed, small)) <= lengthMax ? packed : compressed
    }

    /// A dictionary of the compressor; nil if it would save less than it takes, or if the payloads
    /// have too little in common.
    private func dictionary(
        for payloads: [FramePayload]
    ) throws(DaybookError) -> ZstdDictionary? {
        let samples = payloads.map { codec.sample($0.bytes.span) }
        let length = samples.reduce(0) { $0 + $1.count } / Self.sampleRatio
        guard
            let trained = ZstdDictionary.train(
                samples: samples, capacityBytes: min(Self.lengthMax, length))
        else { return nil }
        var with = SegmentEncoding(codec, level: level)
        try with.compress(with: trained)
        let without = try compressedLength(SegmentEncoding(codec, level: level), payloads)
        let gain = try without - compressedLength(with, payloads)
        let cost = LogFormat.frameLength(storedLength: with.stored?.bytes.count ?? 0)
        return gain > Self.copyCount * cost ? trained : nil
    }

    /// The packed encoding; nil if there are no payloads to pack.
    private func packing(
        for payloads: [FramePayload]
    ) throws(DaybookError) -> SegmentEncoding? {
        guard let transform = codec.transform else { return nil }
        var texts = PayloadTexts()
        for payload in payloads where !payload.isSuperseded {
            texts.append(transform.texts(of: payload.bytes.span))
        }
        var packing = SegmentEncoding(codec, level: level)
        try packing.pack(
            with: TokenTraining.table(texts: texts.bytes, lengths: texts.lengths))
        return packing
    }

    /// The bytes that some of the payloads would take, scaled to all, with the dictionary.
    private func length(
        _ encoding: SegmentEncoding, _ payloads: [FramePayload]
    ) throws(DaybookError) -> Int {
        var cost = 0
        if let stored = encoding.stored {
            cost = Self.copyCount * LogFormat.frameLength(storedLength: stored.bytes.count)
        }
        if isPrefix { cost /= Self.prefixCostDivisor }
        return try cost + compressedLength(encoding, payloads)
    }

    /// The bytes that some of the payloads would take, scaled to all.
    private func compressedLength(
        _ encoding: SegmentEncoding, _ payloads: [FramePayload]
    ) throws(DaybookError) -> Int {
        let step = max(1, payloads.count / Self.trialCount)
        var length = 0
        for index in stride(from: 0, to: payloads.count, by: step) {
            length += try encoding.encode(payloads[index]).stored.count
        }
        return length * step
    }
}
