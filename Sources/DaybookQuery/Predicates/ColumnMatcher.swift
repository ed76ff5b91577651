import DaybookRecords

/// Evaluates a ``ColumnTest`` for decoded values of any type.
struct ColumnMatcher: Sendable {
    private let test: ColumnTest
    private let text: TextMatcher?
    private let values: Set<QueryValue>

    init(_ test: ColumnTest) {
        self.test = test
        text =
            if case .text(let test, let pattern, _) = test {
                TextMatcher(test, folded: pattern)
            } else { nil }
        values =
            switch test {
            case .foldedEqual(let texts, _): Set(texts.map { .text($0) })
            default: []
            }
    }

    func isTrue(of value: QueryValue) -> Bool {
        if value.isNull {
            return if case .isNull = test { true } else { false }
        }
        switch test {
        case .isNull: return false
        case .equal(let wanted): return value.isEqual(to: wanted)
        case .oneOf(let wanted): return wanted.contains { value.isEqual(to: $0) }
        case .range(let lower, let upper): return ValueRange(lower, upper).contains(value)
        case .foldedEqual(_, let options): return values.contains(value.folded(options))
        case .foldedRange(let lower, let upper, let options):
            return ValueRange(lower, upper).contains(value.folded(options))
        case .text(_, _, let options):
            guard let folded = value.folded(options).asText, let text else { return false }
            return folded.withUTF8Span { text.isTrue(of: $0) }
        }
    }
}
