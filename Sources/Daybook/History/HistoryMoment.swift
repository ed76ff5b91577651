#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookEngine

/// A moment in the history of a store.
public enum HistoryMoment: Sendable, Hashable {
    /// After the commit of that number: see ``Store/sequence``.
    case sequence(UInt64)
    /// After the last commit at that time or before it, to the microsecond.
    case date(Date)

    /// The same, as the engine knows it.
    var point: HistoryPoint {
        switch self {
        case .sequence(let number): return .sequence(number)
        case .date(let date):
            let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
            // What no clock shows lies before all commits or behind them.
            let time = Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max)
            return .time(first: time, last: time)
        }
    }
}
