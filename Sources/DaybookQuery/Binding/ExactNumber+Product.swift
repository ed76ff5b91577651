extension ExactNumber {
    /// The product; nil if it would have too many digits.
    func multiplied(by other: ExactNumber) -> ExactNumber? {
        guard digits.count + other.digits.count <= Self.digitCountMax else { return nil }
        let (exponent, isOver) = exponent.addingReportingOverflow(other.exponent)
        guard !isOver else { return nil }
        // A column has at most 10,000 products of two digits.
        var columns = [Int](repeating: 0, count: digits.count + other.digits.count)
        for (place, digit) in digits.enumerated() {
            for (otherPlace, otherDigit) in other.digits.enumerated() {
                columns[place + otherPlace + 1] += Int(digit) * Int(otherDigit)
            }
        }
        for place in columns.indices.dropFirst().reversed() {
            columns[place - 1] += columns[place] / 10
            columns[place] %= 10
        }
        return ExactNumber(
            isNegative: isNegative != other.isNegative, digits: columns.map { UInt8($0) },
            exponent: exponent)
    }

    /// The number with the opposite sign.
    var negated: ExactNumber {
        ExactNumber(isNegative: !isNegative, digits: digits, exponent: exponent)
    }
}
