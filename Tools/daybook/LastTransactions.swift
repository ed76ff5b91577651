import DaybookBytes
import DaybookEngine

/// Where the last transactions begin.
struct LastTransactions {
    let engine: Engine
    let run: CommandRun

    /// The sequence of the first of the last `count` transactions up to `last` that have an event
    /// which the filter lets through; nil where there is none. Cost: a read of the log from there
    /// on, and of as much before it again.
    func first(
        of count: Int, until last: UInt64, _ filter: EventFilter
    ) throws(DaybookError) -> UInt64? {
        guard count > 0, last > 0 else { return nil }
        var reach = UInt64(count)
        while true {
            let start = reach < last ? last - reach + 1 : 1
            // Below the floor there are gaps, and only all of it can be asked for.
            let isWhole = start == 1 || start < engine.historyFloor
            let found = try sequences(from: isWhole ? nil : start, filter, atMost: count)
            if found.count == count || isWhole { return found.first }
            reach = reach.multipliedReportingOverflow(by: 4).overflow ? last : reach * 4
        }
    }

    /// The last `count` of those from a sequence on, in rising order.
    private func sequences(
        from start: UInt64?, _ filter: EventFilter, atMost count: Int
    ) throws(DaybookError) -> ArraySlice<UInt64> {
        var found: [UInt64] = []
        try engine.forEachTransaction(
            in: HistoryRange(from: start.map { .sequence($0) }), matching: filter, run.control
        ) { transaction throws(DaybookError) in
            guard transaction.eventCount > 0 else { return true }
            found.append(transaction.sequence)
            // What is dropped from time to time is as much as what stays.
            if found.count / 2 > count { found.removeFirst(found.count - count) }
            return true
        }
        return found.suffix(count)
    }
}
