import DaybookQuery

/// Which differences between texts do not count.
public struct StringOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes options of bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Capital and small letters are the same, by Unicode's simple case folding.
    public static let caseInsensitive = StringOptions(rawValue: 1)
    /// Letters with marks are the same as those without.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)

    init(caseSensitive: Bool) { self = caseSensitive ? [] : .caseInsensitive }

    var options: TextOptions {
        var options: TextOptions = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return options
    }
}
