import DaybookBytes
import DaybookRecords

/// A literal. The type of a number depends on the other operand.
enum QueryTextLiteral: Sendable, Hashable {
    case null
    case bool(Bool)
    /// Digits, optionally with a decimal point and an exponent.
    case number(String)
    case text(String)
    case bytes([UInt8])
    case uuid([UInt8])
    /// The range of time that a date denotes; a comparison uses its first moment.
    case moment(ClosedRange<Int128>)
    /// Infinity or NaN.
    case notFinite(Double)

    var isNumber: Bool {
        switch self {
        case .number, .notFinite: true
        default: false
        }
    }
}

extension QueryTextParser {
    /// More digits than any useful number has.
    private static let digitCountMax = 400
    private static let exponentMax = 10_000

    /// Reads a literal; returns nil if the next token is not one.
    mutating func literal(_ scope: QueryTextScope) throws(DaybookError) -> QueryTextLiteral? {
        let literal: QueryTextLiteral
        switch token.kind {
        case .number(let digits): literal = .number(digits)
        case .text(let text): literal = .text(text)
        case .bytes(let bytes): literal = .bytes(bytes)
        case .moment(let moment): literal = .moment(moment)
        case .sign(.minus):
            advance()
            if case .number(let digits) = token.kind {
                literal = .number("-" + digits)
            } else if isInfinity {
                literal = .notFinite(-.infinity)
            } else {
                throw expected("a number after '-'")
            }
        case .word(let word):
            guard let found = try self.literal(word.lowercased(), scope) else { return nil }
            literal = found
        case .quotedName, .sign, .end: return nil
        }
        advance()
        return literal
    }

    private var isInfinity: Bool { token.isWord("infinity") || token.isWord("inf") }

    /// Reads the literal that begins with a word. Does not consume the last token of the literal.
    private mutating func literal(
        _ word: String, _ scope: QueryTextScope
    ) throws(DaybookError) -> QueryTextLiteral? {
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "nil", "null": return .null
        case "nan", "infinity", "inf":
            if case .object(let entity) = scope, let name = token.name,
                model.entities[entity]?.members[name] != nil
            {
                return nil
            }
            return .notFinite(word == "nan" ? .nan : .infinity)
        case "uuid", "date":
            guard case .text(let text) = tokenAfter.kind else { return nil }
            advance()
            return word == "uuid"
                ? .uuid(try uuid(text, at: token.range))
                : .moment(try moment(text, at: token.range))
        default: return nil
        }
    }

    private func uuid(_ text: String, at range: Range<Int>) throws(DaybookError) -> [UInt8] {
        var bytes: [UInt8] = []
        var digits = ""
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        let isShaped =
            groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && text.unicodeScalars.allSatisfy { $0 == "-" || $0.isHexadecimal }
        guard isShaped else {
            throw problem(
                "Not a UUID; write one like 123E4567-E89B-12D3-A456-426614174000.", at: range)
        }
        for digit in groups.joined() {
            digits.append(digit)
            guard digits.utf8.count == 2, let byte = UInt8(digits, radix: 16) else { continue }
            bytes.append(byte)
            digits = ""
        }
        return bytes
    }

    private func moment(
        _ text: String, at range: Range<Int>
    ) throws(DaybookError) -> ClosedRange<Int128> {
        guard let moment = MomentReader.read(text) else {
            throw problem(
                "Not a date; write a day like 2026-01-31 or a time like 2026-01-31T12:00:00Z.",
                at: range)
        }
        return moment
    }

    /// The value of a literal that is compared with a value of a type.
    func value(
        _ literal: QueryTextLiteral, with type: FieldType?, at range: Range<Int>
    ) throws(DaybookError) -> QueryValue {
        switch literal {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .bytes(let bytes): return .bytes(bytes)
        case .uuid(let bytes): return .uuid(bytes)
        case .moment(let moment): return .moment(moment.lowerBound)
        case .notFinite(let value): return .number(value)
        case .number(let digits): return try number(digits, with: type, at: range)
        case .text(let text):
            // Results show dates and UUIDs as strings, so queries accept them as strings.
            switch type {
            case .date, .dateNano: return .moment(try moment(text, at: range).lowerBound)
            case .uuid: return .uuid(try uuid(text, at: range))
            default: return .text(text)
            }
        }
    }

    private func number(
        _ digits: String, with type: FieldType?, at range: Range<Int>
    ) throws(DaybookError) -> QueryValue {
        let exponent = digits.split(separator: "e").dropFirst().first.map { Int($0) ?? .max } ?? 0
        guard digits.utf8.count <= Self.digitCountMax, exponent.magnitude <= Self.exponentMax else {
            throw problem(
                "A number has at most \(Self.digitCountMax) digits, and an exponent up to"
                    + " \(Self.exponentMax).", at: range)
        }
        if type != .double, let integer = Int128(digits) { return .integer(integer) }
        switch type {
        case .decimal: return .decimal(digits)
        case .float:
            // Rounded as the property stores it: no `Float` equals 0.1.
            let number = Float(digits) ?? .infinity
            guard number.isFinite else { throw tooLarge(at: range) }
            return .number(Double(number))
        default:
            guard digits.contains(where: { $0 == "." || $0 == "e" }) || type == .double else {
                throw problem(
                    "An integer has at most 128 bits; write a smaller one.", at: range)
            }
            let number = Double(digits) ?? .infinity
            guard number.isFinite else { throw tooLarge(at: range) }
            return .number(number)
        }
    }

    private func tooLarge(at range: Range<Int>) -> DaybookError {
        problem("The number exceeds the range of a floating-point number.", at: range)
    }
}
