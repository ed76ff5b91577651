package import DaybookBytes
import DaybookRecords
import DaybookLog

extension Engine {
    /// The last sequence up to which the history may be read. In the process of the writer, the log
    /// also contains commits that no sync covers yet, or that were not shipped. Readers must not
    /// see these as far as commits wait for that.
    package var readableSequence: UInt64 {
        var last = log.lastSequence
        if options.durability == .always, let durability = log.durability {
            last = durability.durableSequence
        }
        return options.shipping?.isAwaited == true ? min(last, publication.shippedSequence) : last
    }

    /// Returns the sequences of a range, or nil for an empty range. Cost: none for sequences. For a
    /// `from` time, a read of the log up to it; for an `until` time, a read of one segment. Throws
    /// `.historyTruncated` for a `from` below the history floor.
    func sequences(
        of range: HistoryRange, _ control: OperationControl
    ) throws(DaybookError) -> ClosedRange<UInt64>? {
        let lower = try range.from.map { point throws(DaybookError) in
            try first(atOrAfter: point, control)
        }
        let upper = try range.until.map { point throws(DaybookError) in
            try last(atOrBefore: point, control)
        }
        if let lower, lower < historyFloor { throw historyTruncated(from: lower) }
        let lowest = max(1, lower ?? 1)
        let highest = min(upper ?? .max, readableSequence)
        return lowest <= highest ? lowest...highest : nil
    }

    /// Returns the last sequence at a point or before it; 0 if there is none. Cost for a time: a
    /// lookup in some segments, and a read of one.
    package func last(
        atOrBefore point: HistoryPoint, _ control: OperationControl
    ) throws(DaybookError) -> UInt64 {
        switch point {
        case .sequence(let sequence): return min(sequence, readableSequence)
        case .time(_, let latest):
            let logView = log.view()
            guard let begin = try segment(in: logView, lastBegunBy: latest, control) else {
                return 0
            }
            var found: UInt64 = 0
            let scanner = try log.scan(fromSequence: begin.firstSequence, in: logView)
            try forEachCommit(in: scanner, control) { commit in
                guard commit.timeMicroseconds <= latest else { return false }
                found = commit.sequence
                return true
            }
            return found
        }
    }

    /// Returns the last segment whose first commit was made at that time or before; nil if there is
    /// none. Uses a binary search, because commit times never decrease.
    private func segment(
        in logView: LogView, lastBegunBy latest: Int64, _ control: OperationControl
    ) throws(DaybookError) -> SegmentEntry? {
        let entries = logView.entries
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            var first: Int64?
            let scanner = try log.scan(fromSequence: entries[middle].firstSequence, in: logView)
            try forEachCommit(in: scanner, control) { commit in
                first = commit.timeMicroseconds
                return commit.sequence < entries[middle].firstSequence
            }
            if let first, first <= latest { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : entries[low - 1]
    }

    private func first(
        atOrAfter point: HistoryPoint, _ control: OperationControl
    ) throws(DaybookError) -> UInt64 {
        switch point {
        case .sequence(let sequence): return sequence
        case .time(let earliest, _):
            var found = UInt64.max
            try forEachCommit(control) { commit in
                guard commit.timeMicroseconds >= earliest else { return true }
                found = commit.sequence
                return false
            }
            return found
        }
    }

    /// Calls `visit` with each commit of the log until it returns false.
    private func forEachCommit(
        _ control: OperationControl, _ visit: (CommitRecord) -> Bool
    ) throws(DaybookError) {
        let scanner = try log.scan(from: nil)
        try forEachCommit(in: scanner, control, visit)
    }

    private func forEachCommit(
        in scanner: LogScanner, _ control: OperationControl, _ visit: (CommitRecord) -> Bool
    ) throws(DaybookError) {
        var transactions = LogTransactions(
            LogFrames(scanner, until: readableSequence), NoContents())
        while let transaction = try transactions.next(control), visit(transaction.commit) {}
    }

    private func historyTruncated(from sequence: UInt64) -> DaybookError {
        DaybookError(
            .historyTruncated,
            "The history from sequence \(sequence) has gaps: a compaction dropped the versions"
                + " that were superseded before sequence \(historyFloor). Begin at"
                + " \(historyFloor) or later, or omit the beginning to get the remaining history.",
            details: ["sequence": String(sequence), "historyFloor": String(historyFloor)])
    }
}
