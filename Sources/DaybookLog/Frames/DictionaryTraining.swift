import DaybookBytes

/// Trains the dictionary of a segment from its first payloads.
///
/// Small payloads compress badly alone. A dictionary contains their common content: the
/// descriptions of their columns, frequent texts, and the code tables of the compressor.
struct DictionaryTraining {
    let codec: PayloadCodec
    let level: Int

    /// A dictionary and its stored form.
    struct Result {
        let dictionary: ZstdDictionary
        let stored: [UInt8]
        let storedCodec: FrameCodec
    }

    /// The maximum length. Twice as much saves another percent and leaves the cache of a core.
    private static let lengthMax = 64 << 10
    /// Shorter payloads have no dictionary: training takes at least 6 ms, whatever the length.
    private static let payloadsLengthMin = 8 << 10
    /// The samples are this many times as long as their dictionary.
    private static let sampleRatio = 12
    /// The number of frames with the dictionary in a segment.
    private static let copyCount = 2
    /// The number of payloads that are compressed both ways, to see whether the dictionary pays.
    private static let trialCount = 48

    /// Trains a dictionary; nil if it would save less than it takes, or if the payloads have too
    /// little in common.
    ///
    /// Cost: about 0.15 s for each MB of payloads.
    func result(for payloads: [[UInt8]]) throws(DaybookError) -> Result? {
        let small = payloads.filter { $0.count <= PayloadCodec.dictionaryPayloadLengthMax }
        guard small.reduce(0, { $0 + $1.count }) >= Self.payloadsLengthMin else { return nil }
        let samples = small.map { codec.sample($0.span) }
        let length = samples.reduce(0) { $0 + $1.count } / Self.sampleRatio
        guard
            let trained = ZstdDictionary.train(
                samples: samples, capacityBytes: min(Self.lengthMax, length))
        else { return nil }
        let content = trained.bytes
        let packed = try Zstd.compress(content.span, level: level)
        let isPacked = packed.count < content.count
        let result = Result(
            dictionary: trained, stored: isPacked ? packed : content,
            storedCodec: isPacked ? .zstd : .raw)
        let cost = LogFormat.frameLength(storedLength: result.stored.count)
        return try gain(of: trained, small) > Self.copyCount * cost ? result : nil
    }

    /// The number of bytes that a dictionary saves in the payloads, estimated from some of them.
    private func gain(
        of dictionary: ZstdDictionary, _ payloads: [[UInt8]]
    ) throws(DaybookError) -> Int {
        let step = max(1, payloads.count / Self.trialCount)
        var gain = 0
        for index in stride(from: 0, to: payloads.count, by: step) {
            let payload = payloads[index]
            gain += try codec.deflate(payload.span, level: level).stored.count
            gain -= try codec.deflate(
                payload.span, level: level, dictionary: dictionary
            ).stored.count
        }
        return gain * step
    }
}
