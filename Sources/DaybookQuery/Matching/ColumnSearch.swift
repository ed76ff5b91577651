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
