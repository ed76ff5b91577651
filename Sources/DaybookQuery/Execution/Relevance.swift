package import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// The relevance of rows for the words of a search: Okapi BM25, after S. Robertson and H. Zaragoza,
/// "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the usual parameters.
///
/// The scores are the same with and without a text index, and on every platform. For one thread and
/// one version, as ``RowEvaluator``.
package struct Relevance {
    /// The occurrences of the words in one row.
    package struct Match: Sendable, Equatable {
        /// The number of words in the string.
        package var length = 0
        /// The number of occurrences of each word.
        package var counts: [Int]
    }

    /// The term-frequency saturation (k1).
    private static let saturation = 1.2
    /// The length normalization (b): 0 for none, 1 for full.
    private static let lengthShare = 0.75

    private let search: WordSearch
    private let reader: ExpressionReader
    /// The weight of each word; rarer words weigh more.
    private var weights: [Double] = []

    /// Counts the objects of the entity that contain each word. For a prefix, an object counts
    /// once. Cost: with a text index, a count of its entries, or for a prefix a scan of them;
    /// without one, a scan of the entity.
    ///
    /// Throws the errors of reading the rows or the index.
    package init(
        words: [QueryWord], column: QueryColumn, entity: UInt32, access: QueryAccess
    ) throws {
        var seen: Set<QueryWord> = []
        let distinct = words.filter { seen.insert($0).inserted }
        search = WordSearch(distinct)
        reader = ExpressionReader(.column(column), access)
        let total = Double(try access.scope.count(entity))
        weights = try objectCounts(distinct, column, entity, access).map { count in
            let count = min(Double(count), total)
            return Self.logarithm(1 + (total - count + 0.5) / (count + 0.5))
        }
    }

    /// The relevance of each row, in the order of the rows. The average length is that of these
    /// rows. Not negative; 0 for a row without any of the words.
    package func scores(of rows: [StoredRow]) throws -> [Double] {
        scores(
            of: try rows.map { row in
                try match(in: row.bytes, layout: row.layout, id: row.id)
            })
    }

    /// The relevance of each match, in the order of the matches. For callers that do not hold the
    /// rows.
    package func scores(of matches: [Match]) -> [Double] {
        let total = matches.reduce(0) { $0 + $1.length }
        let average = Double(total) / Double(max(1, matches.count))
        return matches.map { match in
            var score = 0.0
            // Without any word, the average length is zero.
            guard match.length > 0 else { return score }
            let length = 1 - Self.lengthShare + Self.lengthShare * Double(match.length) / average
            for (count, weight) in zip(match.counts, weights) {
                let count = Double(count)
                score +=
                    weight * count * (Self.saturation + 1) / (count + Self.saturation * length)
            }
            return score
        }
    }

    /// Counts the words in a row. Throws the errors of ``ExpressionReader``.
    package func match(
        in row: Span<UInt8>, layout: UInt32, id: UInt64
    ) throws(DaybookError) -> Match {
        var match = Match(counts: [Int](repeating: 0, count: search.count))
        guard case .text(let text) = try reader.value(in: row, layout: layout, id: id) else {
            return match
        }
        search.forEach(in: text.utf8.span) { found in
            match.length += 1
            for place in found { match.counts[place] += 1 }
        }
        return match
    }

    /// The number of objects that contain each word.
    private func objectCounts(
        _ words: [QueryWord], _ column: QueryColumn, _ entity: UInt32, _ access: QueryAccess
    ) throws -> [Int] {
        var counts = [Int](repeating: 0, count: words.count)
        func add(_ row: Span<UInt8>, _ layout: UInt32, _ id: UInt64) throws -> Bool {
            let match = try match(in: row, layout: layout, id: id)
            for (place, count) in match.counts.enumerated() where count > 0 { counts[place] += 1 }
            return true
        }
        let property = column.property.propertyID
        let index = try access.indexes(of: entity, over: property).first { index in
            index.form == .text && column.isPlain && column.type == .string
                && index.definition.propertyIDs == [property]
        }
        guard let index else {
            try access.scan(entity, inOrder: false) { try add($0, $1, $2) }
            return counts
        }
        let unlisted = try access.unlisted(entity, in: index)
        for (place, word) in words.enumerated() {
            let from = IndexProbe(word: word.text, isPrefix: word.isPrefix).bytes
            let end = IndexProbe.end(of: from)
            guard word.isPrefix || !unlisted.isEmpty else {
                counts[place] = try access.count(index, from: from, before: end)
                continue
            }
            var ids: Set<UInt64> = []
            try access.forEachId(index, from: from, before: end, isDescending: false) {
                ids.formUnion($0)
                return true
            }
            counts[place] = ids.subtracting(unlisted).count
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
