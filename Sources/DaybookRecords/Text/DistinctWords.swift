import DaybookBytes

/// The distinct words of a text.
///
/// As bytes, the words are sorted, and each ends with 00, which no word contains.
enum DistinctWords {
    /// Above this number of words, duplicates are removed from time to time, so that a long text of
    /// few distinct words takes little memory.
    private static let wordCountMin = 1 << 14

    /// The distinct words of a text in UTF-8, and the number of all its words.
    static func bytes(of utf8: Span<UInt8>) -> (bytes: [UInt8], wordCount: UInt64) {
        var wordCount: UInt64 = 0
        var bytes: [UInt8] = []
        var words: [Range<Int>] = []
        var limit = wordCountMin
        TextWords.forEach(in: utf8) { word in
            wordCount += 1
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
        return (sorted(bytes, words).bytes, wordCount)
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

    /// Passes the words that only one of two texts has to `body`, and whether it is the second.
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

    /// The word at `start` with its 00; nil at the end.
    private static func next(_ words: [UInt8], _ start: Int) -> Range<Int>? {
        var end = start
        while end < words.count {
            end += 1
            if words[end - 1] == 0 { return start..<end }
        }
        return nil
    }

    /// Compares two words. The result is negative, zero or positive.
    private static func compare(
        _ one: [UInt8], _ left: Range<Int>, _ other: [UInt8], _ right: Range<Int>
    ) -> Int {
        // Both end with 00, so neither is a proper prefix of the other.
        for index in 0..<min(left.count, right.count) {
            let difference =
                Int(one[left.lowerBound + index]) - Int(other[right.lowerBound + index])
            if difference != 0 { return difference }
        }
        return left.count - right.count
    }
}
