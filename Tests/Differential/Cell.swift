import Foundation

/// A value of one property of a random object; nil is null.
enum Cell: Hashable {
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case bytes([UInt8])
    case uuid(UUID)
    case decimal(Decimal)
    /// Milliseconds since 1970.
    case date(Int64)

    /// Whether `one` sorts before `other`, according to Swift's `<` for the type.
    static func isLess(_ one: Cell, _ other: Cell) -> Bool {
        switch (one, other) {
        case (.bool(let one), .bool(let other)): !one && other
        case (.integer(let one), .integer(let other)): one < other
        case (.number(let one), .number(let other)): one < other
        case (.integer(let one), .number(let other)): other.isGreater(than: one)
        case (.number(let one), .integer(let other)): (-one).isGreater(than: -Int128(other))
        case (.text(let one), .text(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
        case (.bytes(let one), .bytes(let other)): one.lexicographicallyPrecedes(other)
        case (.uuid(let one), .uuid(let other)): one.octets.lexicographicallyPrecedes(other.octets)
        case (.decimal(let one), .decimal(let other)): one < other
        case (.date(let one), .date(let other)): one < other
        default: false
        }
    }

    /// Whether the values are equal, according to Swift's `==`; for strings, of their scalars.
    static func isEqual(_ one: Cell, _ other: Cell) -> Bool {
        switch (one, other) {
        case (.number(let one), .number(let other)): one == other
        case (.integer(let one), .number(let other)), (.number(let other), .integer(let one)):
            Int128(exactly: other) == Int128(one)
        case (.text(let one), .text(let other)): Array(one.utf8) == Array(other.utf8)
        default: one == other
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var isNaN: Bool { if case .number(let number) = self { number.isNaN } else { false } }
}

extension Double {
    /// Whether it is greater than an integer, compared exactly.
    fileprivate func isGreater(than integer: some BinaryInteger) -> Bool {
        guard !isNaN else { return false }
        // The greatest integer that is not above the number, if an `Int128` can represent it.
        guard let whole = Int128(exactly: rounded(.down)) else { return self > 0 }
        return whole > Int128(integer) || whole == Int128(integer) && self > rounded(.down)
    }
}

extension UUID {
    var octets: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}

/// The type of a property of a random entity.
enum Kind: CaseIterable {
    case bool, int8, int16, int32, int64, uint8, uint32, float, double, text, data, uuid, decimal
    case date, nanoseconds

    /// Whether values contain letters with case variants.
    var isText: Bool { self == .text }
    /// Whether SQLite can store and compare its values without conversion.
    var isKnownToSQLite: Bool { self != .decimal }
    var isNumber: Bool {
        switch self {
        case .int8, .int16, .int32, .int64, .uint8, .uint32, .float, .double: true
        default: false
        }
    }
}
