/// A value that a condition names, or that a property has: one of a few kinds, however wide or
/// narrow the property keeps it.
package enum QueryValue: Sendable, Hashable {
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
    /// What is only ever compared whole (lists, sets, maps, embedded values, JSON), as it is stored.
    case stored([UInt8])
}
