import Foundation

/// A value of one property of a random object, nil being none.
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

    /// Whether the one stands before the other: what `<` says in Swift of values of the type.
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

    /// What `==` says in Swift; of texts what it says of their scalars.
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
    /// Whether it is greater than an integer, to the last digit.
    fileprivate func isGreater(than integer: some BinaryInteger) -> Bool {
        guard !isNaN else { return false }
        // The greatest whole number that is not greater, where an integer can be that.
        guard let whole = Int128(exactly: rounded(.down)) else { return self > 0 }
        return whole > Int128(integer) || whole == Int128(integer) && self > rounded(.down)
    }
}

extension UUID {
    var octets: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}

/// What a property of a random entity is.
enum Kind: CaseIterable {
    case bool, int8, int16, int32, int64, uint8, uint32, float, double, text, data, uuid, decimal
    case date, nanoseconds

    /// Whether values have letters to fold.
    var isText: Bool { self == .text }
    /// Whether SQLite can keep and compare its values as they are.
    var isKnownToSQLite: Bool { self != .decimal }
    var isNumber: Bool {
        switch self {
        case .int8, .int16, .int32, .int64, .uint8, .uint32, .float, .double: true
        default: false
        }
    }
}
