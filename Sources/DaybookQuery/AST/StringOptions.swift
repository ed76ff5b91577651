/// The differences between strings that a comparison ignores.
public struct StringOptions: OptionSet, Sendable, Hashable {
    /// The bits of the options.
    public let rawValue: UInt8

    /// Creates options from bits. Unknown bits are dropped.
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0b11 }

    /// Ignores case, by Unicode's simple case folding.
    public static let caseInsensitive = StringOptions(rawValue: 1)
    /// Ignores diacritics.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)

    package init(caseSensitive: Bool) { self = caseSensitive ? [] : .caseInsensitive }
}
