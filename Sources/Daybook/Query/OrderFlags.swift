/// How one key of an order is to be taken. Without a flag: ascending, texts without regard to case,
/// nil first.
public struct OrderFlags: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt32
    /// Makes flags of bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// From the greatest to the least. Nil stays first.
    public static let descending = OrderFlags(rawValue: 1)
    /// Texts in the order of their Unicode scalars.
    public static let caseSensitive = OrderFlags(rawValue: 2)
    /// Has no effect: whether a number has a sign, its type says.
    public static let unsigned = OrderFlags(rawValue: 4)
    /// Nil last, in both directions.
    public static let nullsLast = OrderFlags(rawValue: 8)
    /// Nil as zero, or as the empty text.
    public static let nullsZero = OrderFlags(rawValue: 16)
}
