/// Options of one sort key. Without options: ascending, strings without regard to case, nil first.
public struct OrderFlags: OptionSet, Sendable, Hashable {
    /// The bits of the options.
    public let rawValue: UInt32
    /// Creates options from bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Sort in descending order. Nil stays first.
    public static let descending = OrderFlags(rawValue: 1)
    /// Sort strings by their Unicode scalars.
    public static let caseSensitive = OrderFlags(rawValue: 2)
    /// No effect: the type of a number determines whether it is signed.
    public static let unsigned = OrderFlags(rawValue: 4)
    /// Sort nil last, in both directions.
    public static let nullsLast = OrderFlags(rawValue: 8)
    /// Sort nil like zero or an empty string.
    public static let nullsZero = OrderFlags(rawValue: 16)
}
