/// Floating-point numbers that people wrote as decimal fractions, such as prices, as whole numbers:
/// 1234.56 needs fifty bits as a double and twenty as 123456 hundredths.
enum DecimalNumbers {
    /// 10⁰ … 10⁶: all are exact as doubles.
    private static let powers: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
    static let digitsMax = powers.count - 1
    /// Whole numbers below this are exact as doubles.
    private static let wholeMax: Double = 9_007_199_254_740_992
    /// Adding and taking this away rounds to a whole number.
    private static let roundingBias: Double = 6_755_399_441_055_744

    /// The whole numbers in place of the bits of floating-point numbers, and how many digits follow
    /// the point; or nil when one of them does not come back bit for bit.
    static func wholes(_ bits: [Int64], isDouble: Bool) -> (values: [Int64], digits: Int)? {
        for digits in 0...digitsMax {
            // Most columns that are not decimal show it at once.
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

    /// The inverse: the bits of `whole` divided by a power of ten. Any whole number is allowed.
    @inline(__always)
    static func bits(_ whole: Int64, digits: Int, isDouble: Bool) -> Int64 {
        let number = Double(whole) / powers[digits]
        return isDouble
            ? Int64(bitPattern: number.bitPattern) : Int64(Float(number).bitPattern)
    }

    /// The inverse for a whole column, in place.
    static func restore(_ values: inout [Int64], digits: Int, isDouble: Bool) {
        let power = powers[digits]
        for index in values.indices {
            let number = Double(values[index]) / power
            values[index] =
                isDouble ? Int64(bitPattern: number.bitPattern) : Int64(Float(number).bitPattern)
        }
    }
}
