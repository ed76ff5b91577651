import DaybookBytes
import DaybookEngine

extension QueryRunner {
    /// Plans the query, and calls `body` with the run. The observers of the store receive the run;
    /// `count` returns the number of objects in the result. Without observers, reads no clock.
    func run<Result>(
        _ access: QueryAccess, reads: QueryReads, count: (Result) -> Int,
        _ body: (QueryRun) throws -> Result
    ) throws -> Result {
        let signpost = Signpost("query")
        defer { signpost.end() }
        let start = access.events?.now
        let run = try QueryRun(self, access, reads: reads)
        let result = try body(run)
        if let start { run.post(since: start, count: count(result)) }
        return result
    }

    /// Calls `body` with each row until it returns false. The time of `body` does not count.
    func runForEachRow(_ access: QueryAccess, _ body: (StoredRow) throws -> Bool) throws {
        guard let start = access.events?.now else {
            return try QueryRun(self, access, reads: .rows).forEachRow(body)
        }
        var count = 0
        var blocks = Duration.zero
        let run = try QueryRun(self, access, reads: .rows)
        try run.forEachRow { row in
            let begin = ContinuousClock.now
            defer { blocks += .since(begin) }
            count += 1
            return try body(row)
        }
        run.post(since: start.advanced(by: blocks), count: count)
    }
}

extension QueryRun {
    /// Posts the finished run, and once more with its plan if it was slow.
    fileprivate func post(since start: ContinuousClock.Instant, count: Int) {
        guard let events = access.events else { return }
        let duration = Duration.since(start)
        let isSlow = events.isSlow(duration, events.limits.query)
        guard isSlow || events.isMeasuring else { return }
        var timing = StoreEvent.QueryTiming(
            entity: query.model.entities[query.entity]?.name ?? "entity \(query.entity)",
            rowsExamined: rowCount, rowsReturned: count, duration: duration)
        events.post(.queried(timing))
        guard isSlow else { return }
        timing.plan = ExplainedQuery(explanation(found: count)).description
        events.post(.slowQuery(timing))
    }
}
