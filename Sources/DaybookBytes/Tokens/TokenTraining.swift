/// Trains a table of tokens from typical strings.
///
/// The method follows Gargiulo and Venturini, "OnPair" (2025): passes over the sample merge
/// frequent neighbours into longer tokens. Further passes keep the tokens that save more bytes than
/// they take in the stored table.
package enum TokenTraining {
    /// The number of bytes that are chosen of a larger sample, on average.
    package static let chosenBytesMax = 2 << 20
    /// The maximum number of tokens before the selection.
    private static let candidateCountMax = 4 * TokenTable.tokenCountMax
    /// How often neighbours are merged. The second time starts from the tokens that the first one
    /// found; the codes become 2 % shorter.
    private static let mergeCount = 2
    /// How often tokens are dropped after the last merge. The uses of the others change each time.
    private static let selectionCount = 3

    /// The table for strings like those of a sample; nil if its stored form would take more bytes
    /// than it saves.
    ///
    /// The same sample has the same table on every machine. Of a large sample, about 2 MiB are
    /// used, which takes about 0.3 s. The table pays for all strings of the sample, not only for
    /// the chosen ones. Their order makes a small difference.
    ///
    /// - Parameters:
    ///   - texts: all strings of the sample, one after the other.
    ///   - lengths: the lengths of the strings in bytes. Their sum must be the count of `texts`.
    ///   - chosenBytesMax: the number of bytes that are chosen of a larger sample, on average.
    package static func table(
        texts: [UInt8], lengths: [Int], chosenBytesMax: Int = chosenBytesMax
    ) -> TokenTable? {
        let sample = TokenSample(texts: texts, lengths: lengths, chosenBytesMax: chosenBytesMax)
        guard sample.chosenBytes > 0 else { return nil }
        var matcher = TokenMatcher(capacity: sample.chosenBytes / 16)
        for byte in 0..<TokenTable.singleCount { matcher.add(UInt128(byte), length: 1) }
        for _ in 1..<mergeCount {
            merge(sample, into: &matcher)
            matcher = TokenSelection(sample, matcher).tokensThatPay()
        }
        merge(sample, into: &matcher)
        for _ in 0..<selectionCount {
            matcher = TokenSelection(sample, matcher).tokensThatPay()
        }
        return TokenSelection(sample, matcher).table()
    }

    /// Adds the tokens that grow from frequent neighbours. A new token is found from its next
    /// occurrence on, and can grow further.
    private static func merge(_ sample: TokenSample, into matcher: inout TokenMatcher) {
        // If only a part of the strings was chosen, a token pays that occurs less often in this
        // part.
        let threshold = sample.totalBytes >= 2 * sample.chosenBytes ? 2 : 3
        var counts = TokenPairCounts()
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
            last = matcher.count
            matcher.add(TokenMatcher.first(length, of: value), length: length)
        }
    }
}
