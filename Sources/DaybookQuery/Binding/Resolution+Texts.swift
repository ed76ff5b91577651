import DaybookBytes
import DaybookRecords

// Resolves string conditions.
extension Resolution {
    func text(
        _ one: ResolvedExpression, _ test: TextTest, _ pattern: ResolvedExpression,
        _ options: StringOptions
    ) throws(DaybookError) -> BoundCondition {
        for side in [one, pattern] {
            guard side.family == .text || side.family == .null else {
                throw Self.wrongOperator(
                    side, "'\(test.rawValue)' is for strings", "Use it with a String property.")
            }
        }
        if let constant = pattern.constant {
            guard case .text(let text) = constant else { return .always(false) }
            return try self.text(one, test, text, options)
        }
        return .text(try Self.single(one), test, try Self.single(pattern), options)
    }

    private func text(
        _ one: ResolvedExpression, _ test: TextTest, _ pattern: String, _ options: StringOptions
    ) throws(DaybookError) -> BoundCondition {
        if test == .like { try LikePattern.checkLength(pattern) }
        switch one.form {
        case .column(let column):
            let (test, pattern) = Self.simplest(test, pattern, options)
            if test == .like, let text = LikePattern(pattern).constantText {
                let test: ColumnTest =
                    options.isEmpty ? .equal(.text(text)) : .foldedEqual([text], options)
                return .through(one.relations, .column(column, test))
            }
            if pattern.isEmpty { return .through(one.relations, .notNull(column)) }
            return .through(one.relations, .column(column, .text(test, pattern, options)))
        case .constant(let value):
            guard case .text(let text) = value else { return .always(false) }
            let matcher = TextMatcher(test, pattern, options)
            return .always(options.fold(text).withUTF8Span { matcher.isTrue(of: $0) })
        case .id, .objects: return .always(false)
        case .other(let expression):
            return .through(
                one.relations, .text(expression, test, .value(.text(pattern)), options))
        }
    }

    /// The folded pattern. A `like` test becomes a simpler equivalent test if there is one, because
    /// an index may serve it.
    private static func simplest(
        _ test: TextTest, _ pattern: String, _ options: StringOptions
    ) -> (TextTest, String) {
        guard test == .like else { return (test, options.fold(pattern)) }
        let like = LikePattern(pattern).folded(options)
        return like.simplerTest ?? (.like, like.text)
    }

    func matches(
        _ one: ResolvedExpression, _ text: String, _ test: WordTest
    ) throws(DaybookError) -> BoundCondition {
        guard case .column(let column) = one.form, column.type == .string else {
            throw Self.wrongOperator(
                one, "only strings can be searched for words", "Use it with a String property.")
        }
        let sequence = QueryWord.sequence(of: text)
        let words = sequence.withoutDuplicates
        guard !words.isEmpty else {
            throw Self.invalid(
                "'\(text.prefix(100))' contains no words to search for in \(one.name). Use at least"
                    + " one, of letters or digits.", one.name)
        }
        let count = test == .phrase ? sequence.count : words.count
        guard count <= QueryWord.countMax else {
            throw Self.invalid(
                "A search in \(one.name) has \(count) words; the maximum is"
                    + " \(QueryWord.countMax). Shorten it.", one.name)
        }
        let condition: BoundCondition =
            switch test {
            case .all: .words(column, words)
            case .any: .disjunction(words.map { .words(column, [$0]) })
            // An index finds the words, and the strings decide.
            case .phrase where sequence.count > 1:
                .and([.words(column, words), .phrase(column, sequence)])
            case .phrase: .words(column, words)
            }
        return .through(one.relations, condition)
    }
}

extension LikePattern {
    /// Throws `.invalidArgument` if a pattern is too long, whether it is in the query or in a row.
    static func checkLength(_ pattern: String) throws(DaybookError) {
        guard pattern.utf8.count <= lengthBytesMax else {
            throw Resolution.invalid(
                "A pattern for 'like' has \(pattern.utf8.count) bytes; the maximum is"
                    + " \(lengthBytesMax). Shorten it.", "")
        }
    }
}

extension QueryWord {
    /// The maximum number of words in a search. Each word of a string is compared with all of them.
    static let countMax = 256

    /// The distinct words of a search string: see ``sequence(of:)``.
    package static func words(of text: String) -> [QueryWord] {
        sequence(of: text).withoutDuplicates
    }

    /// The words of a search string in their order. A `*` directly after a word makes it a prefix.
    package static func sequence(of text: String) -> [QueryWord] {
        var words: [QueryWord] = []
        let parts = text.split(separator: "*", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            let part = String(part)
            let found = TextWords.words(of: part)
            // Appending a letter extends the last word, unless the word ended before the `*`.
            let longer = TextWords.words(of: part + "x")
            let isOpen = found.count == longer.count && found.last != longer.last
            for (place, word) in found.enumerated() {
                let isPrefix = isOpen && place == found.count - 1 && index < parts.count - 1
                words.append(QueryWord(word, isPrefix: isPrefix))
            }
        }
        return words
    }
}

extension [QueryWord] {
    /// The words at their first places.
    fileprivate var withoutDuplicates: [QueryWord] {
        var seen: Set<QueryWord> = []
        return filter { seen.insert($0).inserted }
    }
}
