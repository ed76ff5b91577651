import DaybookRecords

/// Selects the part of a text that shows best where it contains the words of a search.
package struct ExcerptSearch: Sendable {
    /// The part of a text, and the places of the words in it.
    package struct Excerpt: Sendable, Equatable {
        package let text: String
        /// Ascending and disjoint ranges of `text`.
        package let highlights: [Range<String.Index>]
        /// Whether the text continues before and after the part.
        package let isCutAtStart: Bool
        package let isCutAtEnd: Bool
    }

    /// An occurrence of a phrase.
    private struct Hit {
        /// In bytes of the text.
        var range: Range<Int>
        /// In characters of the text.
        var characters = 0..<0
        var phrase: Int
    }

    private let phrases: [WordSearch]

    /// - Parameter phrases: single words, and sequences of words.
    package init(_ phrases: [[QueryWord]]) { self.phrases = phrases.map { WordSearch($0) } }

    /// The excerpt of a text with at most `lengthMax` characters, which must be positive. Shows as
    /// many different phrases as possible, then as many occurrences as possible, then the earliest.
    /// Begins and ends between words if it can: it cuts long runs of letters without spaces.
    /// Without an occurrence, the beginning of the text. Cost: that of reading the words of the
    /// text, whatever its length.
    package func excerpt(of text: String, lengthMax: Int) -> Excerpt {
        var text = text
        text.makeContiguousUTF8()
        let lengthMax = Swift.min(lengthMax, Swift.max(1, text.utf8.count))
        var hits = text.withUTF8Span { self.hits(in: $0) }
        Self.countCharacters(of: &hits, in: text)
        let range = window(of: text, bestHits(hits, lengthMax), lengthMax)
        let part = String(text[range])
        let offset = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
        let shown = offset..<offset + part.utf8.count
        let whole = hits.filter {
            $0.range.lowerBound >= shown.lowerBound && $0.range.upperBound <= shown.upperBound
        }
        // An occurrence is cut only if it is longer than the excerpt; then it is the only one.
        let ranges = (whole.isEmpty ? hits : whole).map { $0.range.clamped(to: shown) }
        return Excerpt(
            text: part,
            highlights: Self.highlights(
                ranges.map { $0.lowerBound - offset..<$0.upperBound - offset }, in: part),
            isCutAtStart: range.lowerBound > text.startIndex,
            isCutAtEnd: range.upperBound < text.endIndex)
    }

    /// The characters at ranges of bytes, which are in the order of their beginnings. Overlapping
    /// and adjacent ranges become one.
    private static func highlights(
        _ ranges: [Range<Int>], in part: String
    ) -> [Range<String.Index>] {
        var highlights: [Range<String.Index>] = []
        for range in ranges where !range.isEmpty {
            let found = part.characters(atBytes: range)
            guard let last = highlights.last, found.lowerBound <= last.upperBound else {
                highlights.append(found)
                continue
            }
            highlights[highlights.count - 1] =
                last.lowerBound..<Swift.max(last.upperBound, found.upperBound)
        }
        return highlights
    }

    /// All occurrences, in the order of their beginnings.
    private func hits(in utf8: Span<UInt8>) -> [Hit] {
        var hits: [Hit] = []
        let lengthMax = phrases.reduce(1) { Swift.max($0, $1.count) }
        // The ranges of the last words, the newest last.
        var recent: [Range<Int>] = []
        // For each phrase, how many of the last words may be its first ones.
        var begun = phrases.map { [Bool](repeating: false, count: $0.count + 1) }
        TextWords.forEachRange(in: utf8) { word, range in
            recent.append(range)
            if recent.count > 2 * lengthMax { recent.removeFirst(lengthMax) }
            for (number, phrase) in phrases.enumerated() {
                begun[number][0] = true
                for place in (0..<phrase.count).reversed() {
                    begun[number][place + 1] =
                        begun[number][place] && phrase.isFound(place, as: word)
                }
                guard begun[number][phrase.count] else { continue }
                let first = recent[recent.count - phrase.count]
                hits.append(Hit(range: first.lowerBound..<range.upperBound, phrase: number))
            }
            return true
        }
        return hits.sorted {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
    }

    private static func countCharacters(of hits: inout [Hit], in text: String) {
        var place = text.startIndex
        var count = 0
        for number in hits.indices {
            let found = text.characters(atBytes: hits[number].range)
            count += text.distance(from: place, to: found.lowerBound)
            place = found.lowerBound
            let length = text.distance(from: found.lowerBound, to: found.upperBound)
            hits[number].characters = count..<count + length
        }
    }

    /// The bytes of the best occurrences that fit into an excerpt together; nil if there are none.
    private func bestHits(_ hits: [Hit], _ lengthMax: Int) -> Range<Int>? {
        var counts = [Int](repeating: 0, count: phrases.count)
        var distinct = 0
        var best: (distinct: Int, count: Int, range: Range<Int>)?
        var end = 0
        for (start, first) in hits.enumerated() {
            let last = first.characters.lowerBound + lengthMax
            while end < hits.count, end == start || hits[end].characters.upperBound <= last {
                if counts[hits[end].phrase] == 0 { distinct += 1 }
                counts[hits[end].phrase] += 1
                end += 1
            }
            let count = end - start
            if (distinct, count) > (best?.distinct ?? 0, best?.count ?? 0) {
                let upper = hits[start..<end].reduce(0) { Swift.max($0, $1.range.upperBound) }
                best = (distinct, count, first.range.lowerBound..<upper)
            }
            counts[first.phrase] -= 1
            if counts[first.phrase] == 0 { distinct -= 1 }
        }
        return best?.range
    }

    /// The part of a text with some bytes and as many characters around them as fit.
    private func window(
        of text: String, _ bytes: Range<Int>?, _ lengthMax: Int
    ) -> Range<String.Index> {
        guard let bytes else {
            let end = text.index(
                text.startIndex, offsetBy: lengthMax, limitedBy: text.endIndex)
            return text.startIndex..<text.endOfWords(from: text.startIndex, end ?? text.endIndex)
        }
        let found = text.characters(atBytes: bytes)
        guard
            let end = text.index(
                found.lowerBound, offsetBy: lengthMax, limitedBy: found.upperBound)
        else {
            let used = text.distance(from: found.lowerBound, to: found.upperBound)
            return text.extended(found, by: lengthMax - used)
        }
        return found.lowerBound..<end
    }
}

extension String {
    /// The whole characters that contain some bytes.
    fileprivate func characters(atBytes bytes: Range<Int>) -> Range<Index> {
        let start = utf8.index(startIndex, offsetBy: bytes.lowerBound)
        let end = utf8.index(startIndex, offsetBy: bytes.upperBound)
        // An offset in characters begins at the start of the character.
        let last = index(end, offsetBy: 0)
        return index(start, offsetBy: 0)..<(last < end ? index(after: last) : last)
    }

    /// Extends a range by up to `count` characters: half of them before it, and more after it if
    /// the text begins, and the other way round. Ends between words if it can.
    fileprivate func extended(_ range: Range<Index>, by count: Int) -> Range<Index> {
        var (start, end) = (range.lowerBound, range.upperBound)
        var left = count
        for _ in 0..<count / 2 where start > startIndex {
            start = index(before: start)
            left -= 1
        }
        for _ in 0..<left where end < endIndex {
            end = index(after: end)
            left -= 1
        }
        for _ in 0..<left where start > startIndex { start = index(before: start) }
        return startOfWords(
            start, until: range.lowerBound)..<endOfWords(from: range.upperBound, end)
    }

    /// The first place in a part of the text that is not within a run of characters without spaces;
    /// `start` if the part is one run.
    private func startOfWords(_ start: Index, until end: Index) -> Index {
        guard start > startIndex, !self[index(before: start)].isWhitespace else { return start }
        return self[start..<end].firstIndex(where: \.isWhitespace).map { index(after: $0) } ?? start
    }

    /// The last place in a part of the text that is not within a run of characters without spaces;
    /// `end` if the part is one run.
    fileprivate func endOfWords(from start: Index, _ end: Index) -> Index {
        guard end < endIndex, !self[end].isWhitespace else { return end }
        return self[start..<end].lastIndex(where: \.isWhitespace) ?? end
    }
}
