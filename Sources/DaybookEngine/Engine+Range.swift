import DaybookBytes
import DaybookIndex
import DaybookLog

extension Engine {
    /// The last sequence that history may be read to. In the writer's own process the log goes on
    /// behind it with commits that no sync covers yet; where durability comes first, nobody is
    /// shown those.
    var readableSequence: UInt64 {
        guard options.durability == .always, let durability = log.durability else {
            return log.lastSequence
        }
        return durability.durableSequence
    }

    /// The sequences of a range, or nil where it is empty. Cost: nothing for sequences; for a time
    /// a read of the log up to it, for an `until` of all the log. Throws `.historyTruncated` for a
    /// `from` below the history floor.
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

    /// The last sequence at a point or before it; 0 where there is none.
    func last(
        atOrBefore point: HistoryPoint, _ control: OperationControl
    ) throws(DaybookError) -> UInt64 {
        switch point {
        case .sequence(let sequence): return min(sequence, readableSequence)
        case .time(_, let latest):
            var found: UInt64 = 0
            try forEachCommit(control) { commit in
                if commit.timeMicroseconds <= latest { found = commit.sequence }
                return true
            }
            return found
        }
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

    /// Gives each commit of the log to `visit` until that returns false.
    private func forEachCommit(
        _ control: OperationControl, _ visit: (CommitRecord) -> Bool
    ) throws(DaybookError) {
        let last = readableSequence
        var scanner = try log.scan(from: nil)
        while let frame = try scanner.next() {
            try control.check()
            let payload = frame.payload
            var reader = RecordReader(payload.span)
            while let record = try reader.next() {
                guard record.kind == .commit else { continue }
                let commit = try CommitRecord(decoding: payload.span.extracting(record.body))
                guard commit.sequence <= last, visit(commit) else { return }
            }
        }
    }

    private func historyTruncated(from sequence: UInt64) -> DaybookError {
        DaybookError(
            .historyTruncated,
            "The history from sequence \(sequence) on has gaps: a compaction dropped the versions"
                + " that were superseded before sequence \(historyFloor). Begin at"
                + " \(historyFloor) or later, or name no beginning to get what is left.",
            details: ["sequence": String(sequence), "historyFloor": String(historyFloor)])
    }
}
