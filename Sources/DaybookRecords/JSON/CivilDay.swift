/// A day in the proleptic Gregorian calendar.
package struct CivilDay: Sendable, Hashable {
    package let year: Int64
    package let month: Int
    package let day: Int

    private static let daysPerEra: Int64 = 146_097
    /// The days from 1 March of the year 0 to 1 January 1970.
    private static let daysBefore1970: Int64 = 719_468

    /// - Parameter number: the days since 1 January 1970, at most 2⁶² in magnitude.
    package init(daysSince1970 number: Int64) {
        // The calendar repeats every 400 years, an era. If a year starts in March, the leap day is
        // its last day, and all months follow one rule.
        let shifted = number + Self.daysBefore1970
        let era = shifted.flooredQuotient(by: Self.daysPerEra)
        let dayOfEra = shifted - era * Self.daysPerEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

extension BinaryInteger {
    /// The quotient, rounded down. The divisor must be positive.
    package func flooredQuotient(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
