import DaybookBytes

/// The first byte of the key of a number, in the order of the numbers.
enum NumberKind: UInt8 {
    case negativeInfinity, negative, zero, positive, infinity
    /// Sorts after all numbers.
    case notANumber
}

// Parts of index keys.
extension ByteWriter {
    mutating func append(_ kind: NumberKind) { uint8(kind.rawValue) }

    /// Appends the kind of the number, its exponent and its digits, so that the bytes sort like the
    /// numbers.
    mutating func append(_ number: DecimalText) {
        guard !number.digits.isEmpty else { return append(.zero) }
        append(number.isNegative ? .negative : .positive)
        let mask: UInt8 = number.isNegative ? 0xFF : 0
        let exponent = UInt64(bitPattern: number.exponent) ^ 1 << 63
        uint64((number.isNegative ? ~exponent : exponent).byteSwapped)
        for digit in number.digits { uint8((digit + 1) ^ mask) }
        uint8(mask)
    }

    /// Appends 00 as 00 FF, and 00 00 after the last byte.
    mutating func append(escaping bytes: Span<UInt8>) {
        var start = 0
        for index in 0..<bytes.count where bytes[index] == 0 {
            append(bytes.extracting(start...index))
            uint8(0xFF)
            start = index + 1
        }
        append(bytes.extracting(start..<bytes.count))
        uint16(0)
    }
}
