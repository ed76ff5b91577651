import DaybookBytes
import DaybookRecords

/// The literals that replace the question marks of a query. An argument is one literal, whatever it
/// contains, so it cannot change the structure of the query.
struct QueryArguments {
    private let values: [QueryValue]
    private var next = 0

    init(_ values: [QueryValue]) { self.values = values }

    /// The tokens of the next argument. Throws `.invalidArgument` if there is none, or if it is not
    /// a literal.
    mutating func tokens(
        at range: Range<Int>, of source: QueryTextSource
    ) throws(DaybookError) -> [QueryToken] {
        guard next < values.count else {
            throw source.problem(
                "There is no argument for this '?': \(values.count) are given.", at: range)
        }
        let value = values[next]
        next += 1
        guard let kinds = try Self.kinds(of: value) else {
            throw source.problem(
                "The argument \(next) is a collection, or not a finite number; a '?' is one"
                    + " literal.", at: range)
        }
        return kinds.map { QueryToken(kind: $0, range: range) }
    }

    /// Throws `.invalidArgument` if there are more arguments than question marks.
    func requireEnd() throws(DaybookError) {
        guard next < values.count else { return }
        throw DaybookError(
            .invalidArgument,
            "The query has \(next) '?', and \(values.count) arguments are given. Give one for each"
                + " '?'.",
            details: ["arguments": String(values.count)])
    }

    private static func kinds(of value: QueryValue) throws(DaybookError) -> [QueryToken.Kind]? {
        switch value {
        case .null: return [.word("nil")]
        case .bool(let value): return [.word(value ? "true" : "false")]
        case .integer(let number): return digits(String(number))
        case .decimal(let text):
            let text = text.lowercased()
            return text.withUTF8Span { DecimalText($0) } == nil ? nil : digits(text)
        case .number(let number): return number.isFinite ? digits(number.description) : nil
        case .moment(let nanoseconds): return [.moment(nanoseconds...nanoseconds)]
        case .text(let text): return [.text(text)]
        case .bytes(let bytes): return [.bytes(bytes)]
        case .uuid(let bytes): return [.word("uuid"), .text(try UUIDText.text(bytes.span))]
        case .json, .stored: return nil
        }
    }

    /// A number, whose sign is a token of its own.
    private static func digits(_ text: String) -> [QueryToken.Kind] {
        let digits = text.filter { $0 != "+" }
        guard digits.hasPrefix("-") else { return [.number(digits)] }
        return [.sign(.minus), .number(String(digits.dropFirst()))]
    }
}
