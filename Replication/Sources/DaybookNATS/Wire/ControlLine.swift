/// A control line of the protocol, split into its words.
struct ControlLine {
    /// The words between spaces and tabs.
    let words: [ArraySlice<UInt8>]

    init(_ bytes: [UInt8]) {
        words = bytes.split { $0 == 0x20 || $0 == 9 }
    }

    /// Returns a number in decimal; nil for an empty text, a sign, another character, or a number
    /// of more than nine digits. No length of the protocol needs more.
    static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.count <= 9 else { return nil }
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return value
    }

    /// Returns the number of a subscription, up to the limit of the type; nil for other text.
    func id(_ index: Int) -> UInt64? {
        guard words[index].allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(text(index))
    }

    /// Returns the word as text, with a replacement for each invalid byte.
    func text(_ index: Int) -> String { String(decoding: words[index], as: UTF8.self) }
}
