import DaybookBytes
import DaybookEngine

/// Finds the first of the last transactions.
struct LastTransactions {
    let engine: Engine
    let run: CommandRun

    /// Returns the sequence of the first of the last `count` transactions up to `last` that have an
    /// event matching the filter; nil if there is none. Cost: reads the log from there on, and
    /// about as much again before it.
    func first(
        of count: Int, until last: UInt64, _ filter: EventFilter
    ) throws(DaybookError) -> UInt64? {
        guard count > 0, last > 0 else { return nil }
        var reach = UInt64(count)
        while true {
            let start = reach < last ? last - reach + 1 : 1
            // Below the history floor, history has gaps, and only a range without a start is
            // allowed.
            let isWhole = start == 1 || start < engine.historyFloor
            let found = try sequences(from: isWhole ? nil : start, filter, atMost: count)
            if found.count == count || isWhole { return found.first }
            reach = reach.multipliedReportingOverflow(by: 4).overflow ? last : reach * 4
        }
    }

    /// Returns the last `count` matching transactions from a sequence on, in ascending order.
    private func sequences(
        from start: UInt64?, _ filter: EventFilter, atMost count: Int
    ) throws(DaybookError) -> ArraySlice<UInt64> {
        var found: [UInt64] = []
        try engine.forEachTransaction(
            in: HistoryRange(from: start.map { .sequence($0) }), matching: filter, run.control
        ) { transaction throws(DaybookError) in
            guard transaction.eventCount > 0 else { return true }
            found.append(transaction.sequence)
            // Dropping as many elements as remain keeps the cost of removal linear.
            if found.count / 2 > count { found.removeFirst(found.count - count) }
            return true
        }
        return found.suffix(count)
    }
}
