import DaybookRecords

/// Formats bound conditions in one line, for descriptions.
struct ConditionText {
    private let model: QueryModel

    init(_ model: QueryModel) { self.model = model }

    func text(_ condition: BoundCondition) -> String {
        switch condition {
        case .always(let isTrue): return isTrue ? "true" : "false"
        case .and(let parts): return parts.map { inner($0) }.joined(separator: " && ")
        case .or(let parts): return parts.map { inner($0) }.joined(separator: " || ")
        case .not(.column(let column, .equal(let value))):
            return "\(column.name) != \(value)"
        case .not(.column(let column, .isNull)): return "\(column.name) != nil"
        case .not(let part): return "!" + (isSimple(part) ? "(\(text(part)))" : inner(part))
        case .column(let column, let test): return text(column.name, test)
        case .ids(let ids): return "id in " + QueryText.list(ids.map { .integer(Int128($0)) })
        case .idRange(let range):
            return QueryText.range(
                "id", QueryBound(.integer(Int128(range.lowerBound)), isInclusive: true),
                range.upperBound == .max
                    ? nil : QueryBound(.integer(Int128(range.upperBound)), isInclusive: true))
        case .linked(let relation, let part):
            if case .always(true) = part { return "\(relation.name) any true" }
            return "\(relation.name) any (\(text(part)))"
        case .elements(let column, let ofKeys, let part):
            return "\(column.name)\(ofKeys ? ".keys" : "") any (\(text(part)))"
        case .words(let column, let words):
            return "\(column.name) matches \(text(words))"
        case .phrase(let column, let words):
            return "\(column.name) matches \(WordTest.phrase.prefix)\(text(words))"
        case .compare(let left, let comparison, let right, let options):
            return "\(text(left)) \(comparison.rawValue)\(options.text) \(text(right))"
        case .oneOf(let value, let values, let options):
            return "\(text(value)) in\(options.text) \(QueryText.list(values))"
        case .range(let value, let lower, let upper):
            return QueryText.range(text(value), lower, upper)
        case .text(let value, let test, let part, let options):
            return "\(text(value)) \(test.rawValue)\(options.text) \(text(part))"
        case .isNull(let value): return "\(text(value)) == nil"
        case .behind(let place, let orders):
            return "after object \(place.id) by \(orders.map(text).joined(separator: ", "))"
        }
    }

    func text(_ expression: BoundExpression) -> String {
        switch expression {
        case .value(let value): value.description
        case .column(let column): column.name
        case .id: "id"
        case .entry(let column, let key): "\(column.name)[\(QueryValue.text(key))]"
        case .linked(let relation, let inner): "\(relation.name).\(text(inner))"
        case .aggregate(let aggregate, let column): "\(column.name).\(aggregate.rawValue)"
        case .relationAggregate(let aggregate, let relation, let inner):
            "\(relation.name)\(inner.map { "." + text($0) } ?? "").\(aggregate.rawValue)"
        case .function(let function, let arguments): function.text(arguments.map(text))
        }
    }

    func text(_ order: BoundOrder) -> String {
        var text =
            switch order.key {
            case .relevance: "relevance"
            case .expression(let expression): self.text(expression)
            }
        if order.isDescending { text += " desc" }
        if order.isCaseSensitive { text += " case sensitive" }
        if order.areNullsLast { text += " nulls last" }
        if order.areNullsZero { text += " nulls zero" }
        return text
    }

    private func text(_ words: [QueryWord]) -> QueryValue {
        .text(words.map { $0.isPrefix ? $0.text + "*" : $0.text }.joined(separator: " "))
    }

    private func inner(_ condition: BoundCondition) -> String {
        switch condition {
        case .and, .or: "(\(text(condition)))"
        default: text(condition)
        }
    }

    private func isSimple(_ condition: BoundCondition) -> Bool {
        switch condition {
        case .and, .or, .always: false
        default: true
        }
    }

    private func text(_ name: String, _ test: ColumnTest) -> String {
        switch test {
        case .isNull: "\(name) == nil"
        case .equal(let value): "\(name) == \(value)"
        case .oneOf(let values): "\(name) in \(QueryText.list(values))"
        case .range(let lower, let upper): QueryText.range(name, lower, upper)
        case .foldedEqual(let texts, let options):
            texts.count == 1
                ? "\(name) ==\(options.text) \(QueryValue.text(texts.first ?? ""))"
                : "\(name) in\(options.text)"
                    + " \(QueryText.list(texts.sorted().map { .text($0) }))"
        case .foldedRange(let lower, let upper, let options):
            QueryText.range(name, lower, upper, options)
        case .text(let test, let pattern, let options):
            "\(name) \(test.rawValue)\(options.text) \(QueryValue.text(pattern))"
        }
    }
}
