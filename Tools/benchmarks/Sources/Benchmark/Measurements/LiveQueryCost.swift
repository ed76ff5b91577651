import Daybook
import Foundation

/// `benchmark live --n 100000`: measures the cost of a commit with many live queries at a thousand
/// commits per second, and the time from the call of put to the delivery of its change; then the
/// time of a put of all objects in one transaction, without and with a live query; then the time of
/// an update of one object in a result of all objects.
struct LiveQueryCost {
    private static let ownerCount = 1_000
    private static let commitCount = 1_000
    private static let commitsPerSecond = 1_000.0

    let n: Int
    let directory: String

    func run() async throws {
        let store = try filledStore()
        let box: Box<LiveItem> = store.box()
        Output.line("| queries watched | changed by a commit | processor time a commit |")
        Output.line("| --- | --- | --- |")
        for watched in [0, 1, 10, 100, 1_000] {
            try await measure(box, watched: watched, changed: 1)
        }
        for changed in [10, 100, 1_000] {
            try await measure(box, watched: Self.ownerCount, changed: changed)
        }
        try await measureBulk(box)
        Output.line("| objects in the result | change | put and delivery |")
        Output.line("| --- | --- | --- |")
        try await measureLarge(box, "a value", ordered: false)
        try await measureLarge(box, "the order", ordered: true)
        try await store.close()
    }

    /// Changes all objects in one transaction, in random order. The live query has one of them.
    private func measureBulk(_ box: Box<LiveItem>) async throws {
        var random = RandomSource(3)
        var items = try await box.all()
        for place in items.indices.reversed() {
            items.swapAt(place, Int(random.next() % UInt64(place + 1)))
        }
        func put(_ number: Int64) throws {
            for item in items { item.number = number }
            try box.put(items)
        }
        var alone = Stopwatch()
        try alone.time { try put(1_000_001) }
        let watched = items[0].owner
        let results = box.query({ $0.owner == watched }).updates()
        var iterator = results.makeAsyncIterator()
        _ = try await iterator.next()
        let start = ContinuousClock.now
        try put(1_000_002)
        _ = try await iterator.next()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        Output.line("| objects changed in one transaction | put | put and delivery | ratio |")
        Output.line("| --- | --- | --- | --- |")
        let ratio = seconds / alone.wallSeconds
        Output.line(
            String(
                format: "| %ld | %.1f ms | %.1f ms | %.2f |", items.count,
                alone.wallSeconds * 1e3, seconds * 1e3, ratio))
    }

    /// Changes one object at a time, while a live query has all objects. Prints the median time
    /// from the call of put to the delivery of the change.
    private func measureLarge(
        _ box: Box<LiveItem>, _ change: String, ordered: Bool
    ) async throws {
        let query = ordered ? box.query().ordered(by: \.number) : box.query()
        var updates = query.updates().makeAsyncIterator()
        _ = try await updates.next()
        var random = RandomSource(5)
        var times: [Double] = []
        func put() throws -> ContinuousClock.Instant? {
            guard let item = try box.get(1 + random.next() % UInt64(n)) else { return nil }
            item.number = Int64(random.next() % 1_000_000)
            let start = ContinuousClock.now
            try box.put(item)
            return start
        }
        for _ in 0..<201 {
            guard let start = try put() else { continue }
            _ = try await updates.next()
            times.append((ContinuousClock.now - start) / .microseconds(1))
        }
        let median = times.sorted()[times.count / 2]
        Output.line("| \(n) | \(change) | \(String(format: "%.0f", median)) µs |")
    }

    private func filledStore() throws -> Store {
        let store = try Store(directoryPath: directory, entities: LiveItem.self)
        let box: Box<LiveItem> = store.box()
        for first in stride(from: 0, to: n, by: 10_000) {
            try box.put(
                (first..<min(first + 10_000, n)).map {
                    LiveItem(owner: Int64($0 % Self.ownerCount), number: 0)
                })
        }
        return store
    }

    private func measure(_ box: Box<LiveItem>, watched: Int, changed: Int) async throws {
        let times = CommitTimes(count: Self.commitCount)
        let begun = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for owner in 0..<Int64(watched) {
                group.addTask {
                    for try await update in box.query({ $0.owner == owner }).updates() {
                        guard case .update(let changes) = update else {
                            begun.continuation.yield()
                            continue
                        }
                        let newest = changes.objects.map(\.number).max() ?? 0
                        times.delivered(Int(newest % Int64(Self.commitCount)))
                    }
                }
            }
            var waiting = begun.stream.makeAsyncIterator()
            for _ in 0..<watched { await waiting.next() }
            var stopwatch = Stopwatch()
            try stopwatch.time { try commit(box, changed, times) }
            // Waits for the delivery of the last commits.
            try await Task.sleep(for: .milliseconds(200))
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
            let microseconds = stopwatch.cpuSeconds / Double(Self.commitCount) * 1e6
            Output.line(
                "| \(watched) | \(min(changed, watched)) | \(String(format: "%.1f", microseconds))"
                    + " µs |")
        }
        if watched == Self.ownerCount, changed == 1 { times.report() }
    }

    /// Changes one object of each of `changed` owners in each commit.
    private func commit(_ box: Box<LiveItem>, _ changed: Int, _ times: CommitTimes) throws {
        let items = try box.get((1...UInt64(changed)).map { $0 })
        let start = ContinuousClock.now
        for number in 0..<Self.commitCount {
            let due = start + .seconds(Double(number) / Self.commitsPerSecond)
            let rest = (due - ContinuousClock.now) / .microseconds(1)
            if rest > 0 { usleep(UInt32(rest)) }
            for item in items { item.number = Int64(number) }
            times.began(number)
            try box.put(items)
            times.returned(number)
        }
    }
}
