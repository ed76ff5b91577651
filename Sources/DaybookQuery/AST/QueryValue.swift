/// A value that a condition names, or that a property has: one of a few kinds, however wide or
/// narrow the property keeps it.
package enum QueryValue: Sendable {
    /// No value: nil.
    case null
    case bool(Bool)
    /// Any integer, signed or not.
    case integer(Int128)
    /// A floating-point number; a `Float` as the `Double` of the same value.
    case number(Double)
    /// A moment, in nanoseconds since 1970, whichever unit the property keeps.
    case moment(Int128)
    case text(String)
    case bytes([UInt8])
    /// The 16 bytes of an identifier.
    case uuid([UInt8])
    /// A decimal number, as its digits.
    case decimal(String)
    /// What is only ever compared whole (lists, sets, maps, embedded values, JSON), as stored.
    case stored([UInt8])
}

/// Whether two are written alike: what conditions call equal is ``isEqual(to:)``. Texts are equal
/// here where their bytes are, and a number that is none is equal to itself.
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
        }
    }
}

extension String {
    /// Unlike `==`, to which two spellings of one character are the same.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
