/// Trains a table of tokens from typical strings.
///
/// The method follows Gargiulo and Venturini, "OnPair" (2025): one pass over the sample merges
/// frequent neighbours into longer tokens. Further passes keep the tokens that save more than they
/// take in the stored table.
package enum TokenTraining {
    /// The maximum number of tokens before the selection.
    static let candidateCountMax = 4 * TokenTable.tokenCountMax
    /// How often uses are counted and tokens are dropped.
    static let roundCount = 3

    /// The table for strings like those of a sample; nil if its stored form would take more bytes
    /// than it saves.
    ///
    /// The same sample has the same table on every machine. Of a long sample, 2 MiB are used,
    /// chosen evenly; this takes about 0.2 s. The table pays for all strings of the sample, not
    /// only for the chosen ones.
    ///
    /// - Parameters:
    ///   - texts: all strings of the sample, one after the other.
    ///   - lengths: the lengths of the strings in bytes. Their sum must be the count of `texts`.
    package static func table(texts: [UInt8], lengths: [Int]) -> TokenTable? {
        let sample = TokenSample(texts: texts, lengths: lengths)
        guard sample.chosenBytes > 0 else { return nil }
        var matcher = merged(sample)
        for _ in 0..<roundCount {
            var selection = TokenSelection(sample, matcher)
            matcher = selection.select()
        }
        let selection = TokenSelection(sample, matcher)
        let order = selection.orderByUses
        let oneByteCount = TokenTable.oneByteCountMax(tokenCount: order.count)
        let table = try? TokenTable(
            bytes: TokenTable.storedForm(
                values: order.map { matcher.values[$0] },
                lengths: order.map { matcher.lengths[$0] }, oneByteCount: oneByteCount))
        guard let table else { return nil }
        let encodedBytes = selection.encodedBytes(oneByteCount: oneByteCount)
        return encodedBytes + table.bytes.count < sample.totalBytes ? table : nil
    }

    /// How often two tokens must be neighbours before they become one. If only a part of the
    /// strings was chosen, a token pays that occurs less often in this part.
    private static func threshold(_ sample: TokenSample) -> UInt32 {
        sample.totalBytes >= 2 * sample.chosenBytes ? 2 : 3
    }

    /// All single bytes, and the tokens that grow from frequent neighbours.
    private static func merged(_ sample: TokenSample) -> TokenMatcher {
        var matcher = TokenMatcher(capacity: sample.chosenBytes / 16)
        for byte in 0..<256 { matcher.add(UInt128(byte), length: 1) }
        var counts = TokenPairCounts()
        let threshold = threshold(sample)
        let bytes = sample.bytes.span
        var last = 0
        sample.forEachToken(&matcher) { place, token, isFirst, matcher in
            let first = last
            last = token
            guard !isFirst, matcher.count < candidateCountMax else { return }
            let firstLength = Int(matcher.lengths[first])
            let length = firstLength + Int(matcher.lengths[token])
            guard length <= TokenTable.tokenLengthMax, counts.add(first, token) >= threshold
            else { return }
            let value = bytes.loadLittleEndian(UInt128.self, at: place - firstLength) ?? 0
            matcher.add(TokenMatcher.first(length, of: value), length: length)
            last = matcher.count - 1
        }
        return matcher
    }
}
