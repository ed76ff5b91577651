import DaybookBytes

/// A parsed decimal number.
package struct DecimalText: Sendable, Equatable {
    package private(set) var isNegative = false
    /// The digits, 0 to 9 each, from the first to the last non-zero digit.
    package private(set) var digits: [UInt8] = []
    /// The number is 0.digits times ten to this power.
    package private(set) var exponent: Int64 = 0

    /// Nil if the text is not a number.
    package init?(_ text: Span<UInt8>) {
        var index = 0
        if index < text.count, text[index] == 0x2D || text[index] == 0x2B {
            isNegative = text[index] == 0x2D
            index += 1
        }
        var hasDigit = false
        var hasPoint = false
        while index < text.count {
            let byte = text[index]
            if byte == 0x2E, !hasPoint {
                hasPoint = true
            } else if byte >= 0x30, byte <= 0x39 {
                hasDigit = true
                let digit = byte - 0x30
                if !digits.isEmpty || digit > 0 {
                    digits.append(digit)
                    if !hasPoint { exponent += 1 }
                } else if hasPoint {
                    exponent -= 1
                }
            } else {
                break
            }
            index += 1
        }
        guard hasDigit, let power = Self.power(text.extracting(index..<text.count)) else {
            return nil
        }
        exponent += power
        while digits.last == 0 { digits.removeLast() }
    }

    /// Parses the exponent: empty, or `e` and an integer of up to nine digits.
    private static func power(_ text: Span<UInt8>) -> Int64? {
        guard text.count > 0 else { return 0 }
        guard text[0] | 0x20 == 0x65, text.count > 1 else { return nil }
        var index = 1
        let isNegative = text[1] == 0x2D
        if isNegative || text[1] == 0x2B { index += 1 }
        guard index < text.count, text.count - index <= 9 else { return nil }
        var power: Int64 = 0
        while index < text.count {
            guard text[index] >= 0x30, text[index] <= 0x39 else { return nil }
            power = power * 10 + Int64(text[index] - 0x30)
            index += 1
        }
        return isNegative ? -power : power
    }
}
