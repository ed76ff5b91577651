import DaybookBytes
import DaybookRecords
import DaybookQuery

/// Writes queries as text that parses to the same query, to test the parser.
struct QueryTextWriter {
    func text(_ query: TextQuery) -> String {
        var text = name(query.entityName)
        let definition = query.definition
        if definition.condition != .always(true) {
            text += " where \(self.text(definition.condition))"
        }
        if !definition.distinct.isEmpty {
            text += " distinct by \(definition.distinct.map(path).joined(separator: ", "))"
        }
        if !definition.orders.isEmpty {
            text += " order by \(definition.orders.map(self.text).joined(separator: ", "))"
        }
        if let limit = definition.limit { text += " limit \(limit)" }
        if definition.offset > 0 { text += " offset \(definition.offset)" }
        return text
    }

    private func text(_ order: QueryOrder) -> String {
        var text = "relevance"
        if case .expression(let expression) = order.key { text = self.text(expression) }
        if order.isDescending { text += " desc" }
        if order.isCaseSensitive { text += " case sensitive" }
        if order.areNullsLast { text += " nulls last" }
        if order.areNullsZero { text += " nulls zero" }
        return text
    }

    func text(_ condition: QueryCondition) -> String {
        switch condition {
        case .always(let isTrue): isTrue ? "true" : "false"
        case .and(let parts): parts.map { "(\(text($0)))" }.joined(separator: " and ")
        case .or(let parts): parts.map { "(\(text($0)))" }.joined(separator: " or ")
        case .not(let inner): "not (\(text(inner)))"
        case .compare(let left, let comparison, let right, let options):
            "\(text(left)) \(comparison.rawValue)\(text(options)) \(text(right))"
        case .range(let value, let lower, let upper):
            "\(text(value)) in \(text(lower))\(upper?.isInclusive == true ? "..." : "..<")"
                + text(upper)
        case .oneOf(let value, let values, let options):
            "\(text(value)) in\(text(options)) (\(values.map(text).joined(separator: ", ")))"
        case .near(let value, let center, let tolerance):
            "\(text(value)) near \(center) within \(tolerance)"
        case .text(let left, let test, let right, let options):
            "\(text(left)) \(test.rawValue)\(text(options)) \(text(right))"
        case .isNull(let value): "\(text(value)) is nil"
        case .linked(let path, let quantifier, let inner),
            .elements(let path, let quantifier, let inner):
            "\(quantifier.rawValue) \(self.path(path)) (\(text(inner)))"
        case .keys(let path, let quantifier, let inner):
            "\(quantifier.rawValue) \(self.path(path)).keys (\(text(inner)))"
        case .matches(let path, let words, let test):
            "\(self.path(path)) matches \(test.rawValue) \(text(.text(words)))"
        // Text queries have no nearest neighbours.
        case .nearest: condition.description
        case .named(_, let inner): text(inner)
        }
    }

    private func text(_ bound: QueryBound?) -> String { bound.map { text($0.value) } ?? "" }

    private func text(_ options: StringOptions) -> String {
        switch options {
        case []: ""
        case .caseInsensitive: "[c]"
        case .diacriticInsensitive: "[d]"
        default: "[cd]"
        }
    }

    private func text(_ expression: QueryExpression) -> String {
        switch expression {
        case .value(let value): text(value)
        case .property(let path): self.path(path)
        case .element: "element"
        case .entry(let path, let key): "\(self.path(path))[\(text(.text(key)))]"
        case .aggregate(let aggregate, let path, let inner):
            "\(aggregate.rawValue)(\(self.path(path))\(inner.map { ".\(self.path($0))" } ?? ""))"
        // Text queries have no functions.
        case .function: expression.description
        }
    }

    private func text(_ value: QueryValue) -> String {
        switch value {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .integer(let number): "\(number)"
        case .number(let number): number.isInfinite ? number < 0 ? "-inf" : "inf" : "\(number)"
        case .decimal(let digits): digits
        case .moment(let nanoseconds): moment(nanoseconds)
        case .text(let text): quoted(text)
        case .bytes(let bytes): "x'\(hexadecimal(bytes))'"
        case .uuid(let bytes):
            "uuid '\((try? UUIDText.text(bytes.span)) ?? hexadecimal(bytes))'"
        case .json, .stored: ""
        }
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Formats a moment with all nine digits.
    private func moment(_ nanoseconds: Int128) -> String {
        var (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
        let date = CalendarDate(millisecondsSince1970: Int64(seconds) * 1_000)
        let digits = String(rest)
        let padding = String(repeating: "0", count: 9 - digits.count)
        return "@\(date?.rfc3339.dropLast(5) ?? "").\(padding)\(digits)Z"
    }

    private func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case _ where scalar.value < 0x20: quoted += "\\u{\(String(scalar.value, radix: 16))}"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private func path(_ path: PropertyPath) -> String {
        path.steps.map { $0.isEmpty ? "id" : $0.hasPrefix("<-") ? $0 : name($0) }
            .joined(separator: ".")
    }

    /// Returns the name in backquotes, which are always valid.
    private func name(_ name: String) -> String { "`\(name.replacing("`", with: "``"))`" }
}
