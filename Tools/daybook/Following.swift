import DaybookBytes
import DaybookEngine

/// The transactions that a writer commits from now on, in this process or another: looked for by
/// the interval, which is all that an idle store costs.
struct Following {
    let lines: EventLines
    /// In milliseconds.
    let interval: Int

    /// Writes the events of the transactions from `first` on, each line by itself. Ends with
    /// `limit` lines, and else only by an error: `.interrupted`, or `.outputClosed`.
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

    /// A compaction may have dropped what was superseded since the last look: what is left of it is
    /// printed behind a line that says so.
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
    /// The last transaction that this process sees.
    var lastSequence: UInt64 {
        get throws(DaybookError) { try view(until: nil).sequence }
    }
}
