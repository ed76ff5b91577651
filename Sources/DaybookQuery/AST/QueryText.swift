import DaybookBytes
import DaybookRecords

// Formats conditions in one line, for descriptions. Truncates long values and lists.

enum QueryText {
    private static let countMax = 8

    static func list(_ values: [QueryValue]) -> String {
        var texts = values.prefix(countMax).map(\.description)
        if values.count > countMax { texts.append("… \(values.count - countMax) more") }
        return "[\(texts.joined(separator: ", "))]"
    }

    static func range(
        _ name: String, _ lower: QueryBound?, _ upper: QueryBound?, _ options: StringOptions = []
    ) -> String {
        var parts: [String] = []
        if let lower {
            parts.append(
                "\(name) >\(lower.isInclusive ? "=" : "")\(options.text) \(lower.value)")
        }
        if let upper {
            parts.append(
                "\(name) <\(upper.isInclusive ? "=" : "")\(options.text) \(upper.value)")
        }
        return parts.isEmpty ? "\(name) != nil" : parts.joined(separator: " && ")
    }
}

extension StringOptions {
    /// The options in brackets, such as `[cd]`; empty without options.
    var text: String {
        guard !isEmpty else { return "" }
        let letters = [(StringOptions.caseInsensitive, "c"), (.diacriticInsensitive, "d")]
        return "[\(letters.filter { contains($0.0) }.map(\.1).joined())]"
    }
}

extension WordTest {
    /// The word before the text of a search, with a space; empty for ``all``.
    var prefix: String { self == .all ? "" : rawValue + " " }
}

extension QueryValue: CustomStringConvertible {
    private static let lengthMax = 64

    /// The value for descriptions; long strings and bytes are truncated.
    package var description: String {
        switch self {
        case .null: return "nil"
        case .bool(let value): return value ? "true" : "false"
        case .integer(let value): return String(value)
        case .number(let value): return "\(value)"
        case .moment(let nanoseconds):
            guard let milliseconds = Int64(exactly: nanoseconds / 1_000_000),
                nanoseconds % 1_000_000 == 0,
                let date = CalendarDate(millisecondsSince1970: milliseconds)
            else { return "\(nanoseconds) ns" }
            return date.rfc3339
        case .text(let text): return Self.quoted(text)
        case .json(let value): return Self.quoted(String(decoding: value.text, as: UTF8.self))
        case .bytes(let bytes):
            let digits = bytes.prefix(Self.lengthMax / 2).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            return "0x\(digits.joined())\(bytes.count > Self.lengthMax / 2 ? "…" : "")"
        case .uuid(let bytes): return (try? UUIDText.text(bytes.span)) ?? "\(bytes.count) bytes"
        case .decimal(let text): return text
        case .stored(let bytes): return "\(bytes.count) bytes"
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars.prefix(lengthMax) {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                quoted += "\\u{\(String(scalar.value, radix: 16))}"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        if text.unicodeScalars.dropFirst(lengthMax).first != nil { quoted += "…" }
        return quoted + "\""
    }
}

extension QueryExpression: CustomStringConvertible {
    /// The expression in query syntax.
    package var description: String {
        switch self {
        case .value(let value): value.description
        case .property(let path): path.description
        case .element: "element"
        case .entry(let path, let key): "\(path)[\(QueryValue.text(key))]"
        case .aggregate(let aggregate, let path, let inner):
            "\(path)\(inner.map { ".\($0)" } ?? "").\(aggregate.rawValue)"
        case .function(let function, let arguments): function.text(arguments.map(\.description))
        }
    }
}

extension QueryCondition: CustomStringConvertible {
    /// The condition, such as `age > 18 && name hasPrefix "S"`.
    package var description: String {
        switch self {
        case .always(let isTrue): return isTrue ? "true" : "false"
        case .and(let parts):
            return parts.isEmpty ? "true" : parts.map(\.inner).joined(separator: " && ")
        case .or(let parts):
            return parts.isEmpty ? "false" : parts.map(\.inner).joined(separator: " || ")
        case .not(.isNull(let value)): return "\(value) != nil"
        case .not(let part): return "!(\(part))"
        case .compare(let left, let comparison, let right, let options):
            return "\(left) \(comparison.rawValue)\(options.text) \(right)"
        case .range(let value, let lower, let upper):
            return QueryText.range(value.description, lower, upper)
        case .oneOf(let value, let values, let options):
            return "\(value) in\(options.text) \(QueryText.list(values))"
        case .near(let value, let other, let tolerance):
            return "\(value) near \(other) ± \(tolerance)"
        case .text(let value, let test, let part, let options):
            return "\(value) \(test.rawValue)\(options.text) \(part)"
        case .isNull(let value): return "\(value) == nil"
        case .linked(let path, let quantifier, let part):
            return "\(path) \(quantifier.rawValue) (\(part))"
        case .elements(let path, let quantifier, let part):
            return "\(path) \(quantifier.rawValue) (\(part))"
        case .keys(let path, let quantifier, let part):
            return "\(path).keys \(quantifier.rawValue) (\(part))"
        case .matches(let path, let text, let test):
            return "\(path) matches \(test.prefix)\(QueryValue.text(text))"
        case .nearest(let path, let vector, let count):
            return "\(path) nearest \(count) to a vector of \(vector.count) dimensions"
        case .named(_, let part): return part.description
        }
    }

    private var inner: String {
        switch self {
        case .and(let parts) where parts.count != 1: "(\(self))"
        case .or(let parts) where parts.count != 1: "(\(self))"
        default: description
        }
    }
}

extension QueryOrder: CustomStringConvertible {
    /// The sort key, such as `name desc`.
    package var description: String {
        var text =
            switch key {
            case .relevance: "relevance"
            case .expression(let expression): expression.description
            }
        if isDescending { text += " desc" }
        if isCaseSensitive { text += " case sensitive" }
        if areNullsLast { text += " nulls last" }
        if areNullsZero { text += " nulls zero" }
        return text
    }
}

extension QueryDefinition: CustomStringConvertible {
    /// The query, such as `age > 18 order by name limit 10`.
    package var description: String {
        var text = condition.description
        if !orders.isEmpty {
            text += " order by \(orders.map(\.description).joined(separator: ", "))"
        }
        if !distinct.isEmpty {
            text += " distinct by \(distinct.map(\.description).joined(separator: ", "))"
        }
        if offset > 0 { text += " offset \(offset)" }
        if let limit { text += " limit \(limit)" }
        return text
    }
}
