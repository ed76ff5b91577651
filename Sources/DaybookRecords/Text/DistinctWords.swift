/// The words of a text, each once.
///
/// As bytes they stand in the order of their bytes, and behind each stands 00, which no word has.
enum DistinctWords {
    /// Between two of these sizes words that are equal are kept once, so that a long text of few
    /// words takes little memory.
    private static let wordCountMin = 1 << 14

    /// The words of the text that is given as UTF-8.
    static func bytes(of utf8: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var words: [Range<Int>] = []
        var limit = wordCountMin
        TextWords.forEach(in: utf8) { word in
            let start = bytes.count
            for index in 0..<word.count { bytes.append(word[index]) }
            bytes.append(0)
            words.append(start..<bytes.count)
            if words.count >= limit {
                (bytes, words) = sorted(bytes, words)
                limit = max(wordCountMin, 2 * words.count)
            }
            return true
        }
        return sorted(bytes, words).bytes
    }

    private static func sorted(
        _ bytes: [UInt8], _ words: [Range<Int>]
    ) -> (bytes: [UInt8], words: [Range<Int>]) {
        let ordered = words.sorted { compare(bytes, $0, bytes, $1) < 0 }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var kept: [Range<Int>] = []
        for word in ordered {
            if let last = kept.last, compare(result, last, bytes, word) == 0 { continue }
            kept.append(result.count..<(result.count + word.count))
            result += bytes[word]
        }
        return (result, kept)
    }

    /// Gives the words that only one of two has to `body`, with whether it is the second.
    static func forEachDifference(
        _ old: [UInt8], _ new: [UInt8], _ body: (_ word: Span<UInt8>, _ isNew: Bool) -> Void
    ) {
        var left = next(old, 0)
        var right = next(new, 0)
        while left != nil || right != nil {
            let order =
                if let left, let right { compare(old, left, new, right) } else {
                    left == nil ? 1 : -1
                }
            if order < 0, let word = left { body(old.span.extracting(word), false) }
            if order > 0, let word = right { body(new.span.extracting(word), true) }
            if order <= 0 { left = next(old, left?.upperBound ?? 0) }
            if order >= 0 { right = next(new, right?.upperBound ?? 0) }
        }
    }

    /// The word that begins at `start`, with the 00 behind it; nil at the end.
    private static func next(_ words: [UInt8], _ start: Int) -> Range<Int>? {
        var end = start
        while end < words.count {
            end += 1
            if words[end - 1] == 0 { return start..<end }
        }
        return nil
    }

    /// Less than 0 where the first comes first, 0 where both are equal.
    private static func compare(
        _ one: [UInt8], _ left: Range<Int>, _ other: [UInt8], _ right: Range<Int>
    ) -> Int {
        // Neither is the beginning of the other but the same, for both end with 00.
        for index in 0..<min(left.count, right.count) {
            let difference =
                Int(one[left.lowerBound + index]) - Int(other[right.lowerBound + index])
            if difference != 0 { return difference }
        }
        return left.count - right.count
    }
}
