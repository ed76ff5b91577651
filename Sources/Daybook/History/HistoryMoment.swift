#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookBytes
import DaybookEngine

/// A moment in the history of a store.
public enum HistoryMoment: Sendable, Hashable {
    /// The state after the commit with this sequence number: see ``Store/sequence``.
    case sequence(UInt64)
    /// The state after the last commit at or before this time. The store is empty before its first
    /// commit.
    case date(Date)

    /// The moment in the engine's terms. Throws `.invalidArgument` for a date that is not a number.
    var point: HistoryPoint {
        get throws(DaybookError) {
            switch self {
            case .sequence(let number): return .sequence(number)
            case .date(let date):
                let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
                guard !microseconds.isNaN else {
                    throw DaybookError(
                        .invalidArgument,
                        "The date is not a number. Use a valid date.")
                }
                let time = Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max)
                return .time(first: time, last: time)
            }
        }
    }
}

extension Date {
    /// The time of a commit, to the microsecond.
    init(microseconds: Int64) {
        self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }
}
