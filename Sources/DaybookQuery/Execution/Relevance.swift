package import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// The relevance of rows for the words of a query: Okapi BM25, after S. Robertson and H. Zaragoza,
/// "The Probabilistic Relevance Framework: BM25 and Beyond", Foundations and Trends in Information
/// Retrieval 3 (2009), section 3.3, with k₁ = 1.2, b = 0.75, and a weight of words that is never
/// negative: ln(1 + (N − n + 0.5) / (n + 0.5)).
///
/// Each property that the condition searches has its own relevance, and the sum counts. The weights
/// and the average lengths are those of all objects of the entity, not only of those found. So the
/// relevance of a row depends neither on the other objects found nor on the limit. It is
/// the same with and without a text index, and on every platform. For one thread and one version,
/// as ``RowEvaluator``.
package struct Relevance {
    /// The term-frequency saturation (k₁).
    private static let saturation = 1.2
    /// The length normalization (b): 0 for none, 1 for full.
    private static let lengthShare = 0.75

    /// The search in one property.
    fileprivate struct Part {
        let search: WordSearch
        let reader: ExpressionReader
        /// The weight of each word; rarer words weigh more.
        var weights: [Double] = []
        /// The average number of words in a text with words.
        var averageLength = 1.0
    }

    private var parts: [Part] = []

    /// Counts the texts of each searched property, and the texts with each word. For a prefix, an
    /// object counts once. Cost: with a text index, a lookup, and a count of the entries of each
    /// word, or for a prefix a scan of them; without one, a scan of the entity for each property.
    ///
    /// Throws the errors of reading the rows or the index.
    package init(
        _ searches: [ColumnSearch], entity: UInt32, access: QueryAccess
    ) throws {
        for search in searches {
            var part = Part(
                search: WordSearch(search.words),
                reader: ExpressionReader(.column(search.column), access))
            let counts = try Self.counts(of: search, part, entity, access)
            let total = Double(counts.texts.textCount)
            if total > 0 { part.averageLength = Double(counts.texts.wordCount) / total }
            part.weights = counts.words.map { count in
                let count = min(Double(count), total)
                return Self.logarithm(1 + (total - count + 0.5) / (count + 0.5))
            }
            parts.append(part)
        }
    }

    /// The relevance of a row. Not negative; 0 for a row without any of the words. Throws the
    /// errors of ``ExpressionReader``. Cost: a few nanoseconds per letter of the searched texts.
    package func score(
        of row: Span<UInt8>, layout: UInt32, id: UInt64
    ) throws(DaybookError) -> Double {
        var score = 0.0
        for part in parts {
            let match = try part.match(in: row, layout: layout, id: id)
            guard match.length > 0 else { continue }
            let length =
                1 - Self.lengthShare + Self.lengthShare * Double(match.length) / part.averageLength
            for (found, weight) in zip(match.counts, part.weights) {
                let count = Double(found)
                let share = count * (Self.saturation + 1) / (count + Self.saturation * length)
                score += weight * share
            }
        }
        return score
    }

    /// The sizes of all texts of a property, and the number of objects that contain each word.
    private struct Counts {
        var texts = TextTotals()
        var words: [Int]

        mutating func add(_ match: Match) {
            guard match.length > 0 else { return }
            texts.textCount += 1
            texts.wordCount += UInt64(match.length)
            for (place, count) in match.counts.enumerated() where count > 0 { words[place] += 1 }
        }
    }

    private static func counts(
        of search: ColumnSearch, _ part: Part, _ entity: UInt32, _ access: QueryAccess
    ) throws -> Counts {
        var counts = Counts(words: [Int](repeating: 0, count: search.words.count))
        func add(_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool {
            counts.add(try part.match(in: row, layout: layout, id: id))
            return true
        }
        guard let index = try access.textIndex(over: search.column, of: entity) else {
            try access.scan(entity, inOrder: false) { try add($0, $1, $2) }
            return counts
        }
        let unlisted = try access.unlisted(entity, in: index)
        counts.texts = try access.textTotals(of: index, without: unlisted)
        for (place, word) in search.words.enumerated() {
            let from = IndexProbe(word: word.text, isPrefix: word.isPrefix).bytes
            let end = IndexProbe.end(of: from)
            guard word.isPrefix || !unlisted.isEmpty else {
                counts.words[place] = try access.count(index, from: from, before: end)
                continue
            }
            var ids: Set<UInt64> = []
            try access.forEachId(index, from: from, before: end, isDescending: false) {
                ids.formUnion($0)
                return true
            }
            counts.words[place] = ids.subtracting(unlisted).count
        }
        try access.forEachRow(entity, unlisted) { try add($0, $1, $2) }
        return counts
    }

    /// The natural logarithm of a number that is at least 1. Platform implementations differ in the
    /// last bits, and scores may be stored and compared.
    static func logarithm(_ number: Double) -> Double {
        // With number = m · 2ᵉ and s = (m − 1) / (m + 1): ln m = 2 (s + s³ / 3 + s⁵ / 5 + …).
        let ratio = (number.significand - 1) / (number.significand + 1)
        var power = ratio
        var sum = 0.0
        // The ratio is below 1/3, so the omitted terms are below the last bit.
        for divisor in stride(from: 1.0, through: 35, by: 2) {
            sum += power / divisor
            power *= ratio * ratio
        }
        return 2 * sum + Double(number.exponent) * 0.693_147_180_559_945_3
    }
}

extension Relevance {
    /// The occurrences of the words in one text.
    fileprivate struct Match {
        /// The number of words in the text.
        var length = 0
        /// The number of occurrences of each searched word.
        var counts: [Int]
    }
}

extension Relevance.Part {
    /// Counts the words in a row.
    fileprivate func match(
        in row: Span<UInt8>, layout: UInt32, id: UInt64
    ) throws(DaybookError) -> Relevance.Match {
        var match = Relevance.Match(counts: [Int](repeating: 0, count: search.count))
        guard case .text(let text) = try reader.value(in: row, layout: layout, id: id) else {
            return match
        }
        text.withUTF8Span { utf8 in
            search.forEach(in: utf8) { found in
                match.length += 1
                for place in found { match.counts[place] += 1 }
            }
        }
        return match
    }
}

extension QueryAccess {
    /// The text index over a property; nil if there is none that is built.
    func textIndex(over column: QueryColumn, of entity: UInt32) throws -> IndexPlan.Index? {
        guard column.isPlain, column.type == .string else { return nil }
        let property = column.property.propertyID
        return try indexes(of: entity, over: property).first { index in
            index.form == .text && index.definition.propertyIDs == [property]
        }
    }
}
