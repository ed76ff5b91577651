/// Converts floating-point numbers with few decimal digits, such as prices, to integers: 1234.56
/// needs fifty bits as a double, and twenty as 123456 hundredths.
enum DecimalNumbers {
    /// 10⁰ … 10⁶, all exact as doubles.
    private static let powers: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
    static let digitsMax = powers.count - 1
    /// Integers below this are exact as doubles.
    private static let wholeMax: Double = 9_007_199_254_740_992
    /// Adding and subtracting this rounds to an integer.
    private static let roundingBias: Double = 6_755_399_441_055_744

    /// The integers for some floating-point numbers, given by their bits, and the number of decimal
    /// digits; nil if a number would not be restored bit for bit.
    static func wholes(_ bits: [Int64], isDouble: Bool) -> (values: [Int64], digits: Int)? {
        for digits in 0...digitsMax {
            // Most columns without decimal numbers are rejected by this prefix.
            guard bits.prefix(16).allSatisfy({ whole($0, digits, isDouble) != nil }),
                let values = wholes(bits, digits: digits, isDouble: isDouble)
            else { continue }
            return (values, digits)
        }
        return nil
    }

    private static func wholes(_ bits: [Int64], digits: Int, isDouble: Bool) -> [Int64]? {
        var values: [Int64] = []
        values.reserveCapacity(bits.count)
        for value in bits {
            guard let whole = whole(value, digits, isDouble) else { return nil }
            values.append(whole)
        }
        return values
    }

    private static func whole(_ bits: Int64, _ digits: Int, _ isDouble: Bool) -> Int64? {
        let number =
            isDouble
            ? Double(bitPattern: UInt64(bitPattern: bits))
            : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        let scaled = number * powers[digits]
        guard scaled.magnitude < wholeMax / 4 else { return nil }
        let rounded = (scaled + roundingBias) - roundingBias
        let whole = Int64(rounded)
        return self.bits(whole, digits: digits, isDouble: isDouble) == bits ? whole : nil
    }

    /// The bits of `whole` divided by a power of ten. Any integer is allowed.
    @inline(__always)
    static func bits(_ whole: Int64, digits: Int, isDouble: Bool) -> Int64 {
        let number = Double(whole) / powers[digits]
        return isDouble
            ? Int64(bitPattern: number.bitPattern) : Int64(Float(number).bitPattern)
    }

    /// Restores a whole column in place.
    static func restore(_ values: inout [Int64], digits: Int, isDouble: Bool) {
        let power = powers[digits]
        for index in values.indices {
            let number = Double(values[index]) / power
            values[index] =
                isDouble ? Int64(bitPattern: number.bitPattern) : Int64(Float(number).bitPattern)
        }
    }
}
