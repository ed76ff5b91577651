/// The words that a query searches in one property.
package struct ColumnSearch: Sendable, Equatable {
    package let column: QueryColumn
    /// Without duplicates.
    package private(set) var words: [QueryWord] = []

    package init(_ column: QueryColumn, _ words: [QueryWord] = []) {
        self.column = column
        add(words)
    }

    fileprivate mutating func add(_ more: [QueryWord]) {
        for word in more where !words.contains(word) { words.append(word) }
    }
}

extension BoundCondition {
    /// The words that the condition searches in each property, outside negations and conditions on
    /// related objects, in the order of the condition.
    package var columnSearches: [ColumnSearch] {
        var searches: [ColumnSearch] = []
        addSearches(to: &searches)
        return searches
    }

    private func addSearches(to searches: inout [ColumnSearch]) {
        switch self {
        case .words(let column, let words):
            if let place = searches.firstIndex(where: { $0.column == column }) {
                searches[place].add(words)
            } else {
                searches.append(ColumnSearch(column, words))
            }
        case .and(let parts), .or(let parts):
            for part in parts { part.addSearches(to: &searches) }
        default: return
        }
    }
}

extension BoundCondition {
    /// The words and phrases that the condition searches in a property, outside negations and
    /// conditions on related objects, without duplicates. The words of a phrase are not among them.
    package func phrases(in column: QueryColumn) -> [[QueryWord]] {
        var phrases: [[QueryWord]] = []
        addPhrases(in: column, to: &phrases)
        return phrases
    }

    private func addPhrases(in wanted: QueryColumn, to phrases: inout [[QueryWord]]) {
        func add(_ phrase: [QueryWord]) {
            if !phrases.contains(phrase) { phrases.append(phrase) }
        }
        switch self {
        case .words(let column, let words) where column == wanted:
            for word in words { add([word]) }
        case .phrase(let column, let words) where column == wanted: add(words)
        case .and(let parts), .or(let parts):
            for (place, part) in parts.enumerated() {
                // The words of a phrase come directly before it.
                if case .words = part, place + 1 < parts.count, case .phrase = parts[place + 1] {
                    continue
                }
                part.addPhrases(in: wanted, to: &phrases)
            }
        default: return
        }
    }
}
