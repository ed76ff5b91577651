import ArgumentParser
import DaybookEngine
import DaybookQuery

extension HistoryPoint {
    /// Parses a sequence (`1042`), a day (`2026-11-21`) or an RFC 3339 instant
    /// (`2026-11-21T10:00:00.250+01:00`). Throws an ``ArgumentProblem`` with the accepted formats.
    static func parse(argument text: String) throws -> HistoryPoint {
        if let sequence = UInt64(text), text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
            return .sequence(sequence)
        }
        guard let time = MomentReader.read(text) else {
            throw ArgumentProblem(
                "give a sequence, as in 1042, a day, as in 2026-11-21, or a time, as in"
                    + " 2026-11-21T10:00:00Z")
        }
        // Commit times have microseconds. Both bounds are rounded down.
        return .time(
            first: Self.microseconds(time.lowerBound), last: Self.microseconds(time.upperBound))
    }

    /// Converts nanoseconds to microseconds, rounded down. Every parsed value fits.
    private static func microseconds(_ nanoseconds: Int128) -> Int64 {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000)
        return Int64(clamping: rest < 0 ? whole - 1 : whole)
    }
}

/// A problem with the value of an option. The argument parser adds the option's name.
struct ArgumentProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
