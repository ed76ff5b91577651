import DaybookBytes
import DaybookEngine

/// Prints the transactions that any process commits from now on. Polls the store at an interval,
/// which is the only cost of an idle store.
struct Following {
    let lines: EventLines
    /// The polling interval, in milliseconds.
    let interval: Int

    /// Writes the events of the transactions from `first` on, and flushes after each line. Returns
    /// after `limit` lines. Otherwise ends only with an error: `.interrupted` or `.outputClosed`,
    /// or the error of a read.
    func run(
        from first: UInt64, _ filter: EventFilter, limit: Int
    ) throws(DaybookError) {
        let (engine, run) = (lines.engine, lines.run)
        run.isFollowing = true
        var first = first
        while run.lineCount < limit {
            try run.wait(milliseconds: interval)
            try engine.refresh()
            let last = try engine.lastSequence
            guard last >= first else { continue }
            try write(first, last, filter, limit: limit)
            first = last + 1
        }
    }

    /// Writes the events of a range. If a compaction dropped superseded versions since the last
    /// poll, writes a line with the history floor first.
    private func write(
        _ first: UInt64, _ last: UInt64, _ filter: EventFilter, limit: Int
    ) throws(DaybookError) {
        let floor = lines.engine.historyFloor
        var range = HistoryRange(from: .sequence(first), until: .sequence(last))
        if first < floor {
            range.from = nil
            try lines.run.remark { text in
                text.beginObject()
                text.member("historyFloor", floor)
                text.endObject()
            }
        }
        try lines.write(range, filter, limit: limit, after: first - 1, showsProgress: false)
    }
}

extension Engine {
    /// The last transaction that this engine sees.
    var lastSequence: UInt64 {
        get throws(DaybookError) { try view(until: nil).sequence }
    }
}
