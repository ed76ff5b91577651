/// A constant in a condition, or the value of a property. It has one of a few kinds, regardless of
/// the width in which the property is stored.
package enum QueryValue: Sendable {
    /// Null.
    case null
    case bool(Bool)
    /// A signed or unsigned integer.
    case integer(Int128)
    /// A floating-point number; a `Float` is converted to `Double`.
    case number(Double)
    /// A date in nanoseconds since 1970, regardless of the unit of the property.
    case moment(Int128)
    case text(String)
    case bytes([UInt8])
    /// The 16 bytes of a UUID.
    case uuid([UInt8])
    /// A decimal number, as its text.
    case decimal(String)
    /// A value kept as JSON.
    case json(OrderedJSON)
    /// The stored bytes of a value that is compared as a whole: a list, set, map or embedded value.
    case stored([UInt8])
}

/// Representation equality; ``isEqual(to:)`` is the equality of conditions. Strings are equal if
/// their bytes are, and NaN equals itself.
extension QueryValue: Hashable {
    package static func == (one: QueryValue, other: QueryValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.number(let one), .number(let other)): one.bitPattern == other.bitPattern
        case (.moment(let one), .moment(let other)): one == other
        case (.text(let one), .text(let other)): one.hasSameBytes(as: other)
        case (.decimal(let one), .decimal(let other)): one.hasSameBytes(as: other)
        case (.bytes(let one), .bytes(let other)): one == other
        case (.uuid(let one), .uuid(let other)): one == other
        case (.json(let one), .json(let other)): one == other
        case (.stored(let one), .stored(let other)): one == other
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value), .moment(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value.bitPattern)
        case .text(let value), .decimal(let value): value.utf8.forEach { hasher.combine($0) }
        case .bytes(let value), .uuid(let value), .stored(let value): hasher.combine(value)
        case .json(let value): hasher.combine(value)
        }
    }
}

extension String {
    /// Compares bytes, whereas `==` treats canonically equivalent strings as equal.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
