import DaybookBytes

/// The words of texts for word search: runs of letters, numbers and marks, without case and
/// diacritics. See `Internals/Text.md`.
package enum TextWords {
    /// The maximum number of scalars in a word after folding; the rest of a longer word is ignored.
    private static let scalarCountMax = 64

    /// The words of a text in order, with duplicates.
    package static func words(of text: String) -> [String] {
        var words: [String] = []
        text.withUTF8Span { utf8 in
            forEach(in: utf8) { word in
                words.append(String(decoding: word.array, as: UTF8.self))
                return true
            }
        }
        return words
    }

    /// Passes each word of a text in UTF-8 to `body` until it returns false. An invalid byte
    /// separates words. Cost: a few ns per letter; words are not allocated.
    package static func forEach<Failure: Error>(
        in utf8: Span<UInt8>, _ body: (_ word: Span<UInt8>) throws(Failure) -> Bool
    ) throws(Failure) {
        try forEachRange(in: utf8) { word, _ throws(Failure) in try body(word) }
    }

    /// As ``forEach(in:_:)``, also with the range of the word in the text. The range of a long word
    /// includes the part that is ignored.
    @inline(__always)
    package static func forEachRange<Failure: Error>(
        in utf8: Span<UInt8>,
        _ body: (_ word: Span<UInt8>, _ range: Range<Int>) throws(Failure) -> Bool
    ) throws(Failure) {
        let tables = TextTables.shared
        let parts = tables.words
        let folding = tables.folding(ignoresCase: true, ignoresDiacritics: true)
        var word: [UInt8] = []
        word.reserveCapacity(64)
        var scalarCount = 0
        var start = 0
        var position = 0
        while position < utf8.count {
            let before = position
            let scalar = UTF8Scalars.next(in: utf8, &position)
            let part = scalar == UTF8Scalars.illFormed ? WordPart.no : parts[scalar]
            if part != WordPart.yes, !word.isEmpty {
                guard try body(word.span, start..<before) else { return }
                word.removeAll(keepingCapacity: true)
                scalarCount = 0
            }
            if word.isEmpty { start = before }
            guard part != WordPart.no, scalarCount < scalarCountMax else { continue }
            let change = folding[scalar]
            guard change != TextTables.dropped else { continue }
            UTF8Scalars.append(scalar &+ change, to: &word)
            scalarCount += 1
            guard part == WordPart.whole else { continue }
            guard try body(word.span, start..<position) else { return }
            word.removeAll(keepingCapacity: true)
            scalarCount = 0
        }
        if !word.isEmpty { _ = try body(word.span, start..<utf8.count) }
    }

    private typealias WordPart = TextTables.WordPart
}
