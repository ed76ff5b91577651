import ArgumentParser
import DaybookEngine

extension HistoryPoint {
    /// Reads a sequence (`1042`), a day (`2026-11-21`) or an instant of RFC 3339
    /// (`2026-11-21T10:00:00.250+01:00`). Throws what to write instead.
    static func parse(argument text: String) throws -> HistoryPoint {
        if let sequence = UInt64(text), text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
            return .sequence(sequence)
        }
        guard let time = MomentReader.read(text) else {
            throw ArgumentProblem(
                "give a sequence like 1042, a day like 2026-11-21, or a time like"
                    + " 2026-11-21T10:00:00Z")
        }
        return .time(first: time.lowerBound, last: time.upperBound)
    }
}

/// What is wrong with the value of an option; the parser names the option.
struct ArgumentProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
