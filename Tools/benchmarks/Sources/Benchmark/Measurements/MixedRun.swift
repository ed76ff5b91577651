import Daybook
import Foundation

/// `benchmark mixed --n 100000 --minutes 60`: a store that is used for a long time. One thread
/// puts, replaces and removes objects in durable commits; others read, query, follow the store
/// without writing, and acknowledge its changes as a consumer. The store keeps the history of a
/// minute. Each line has the figures of a minute; all columns should stay constant. At the end, the
/// store is verified.
struct MixedRun {
    private static let ownerCount = 1_000
    private static let historySeconds = 60
    private static let acknowledgedCommitCount = 200
    private static let bulkCount = 1_000

    let n: Int
    let minutes: Int
    let directory: String

    func run() async throws {
        guard n > 0, minutes > 0 else {
            throw BenchmarkError("--n and --minutes must be above 0")
        }
        var options = StoreOptions.measured
        options.retention = .last(.seconds(Self.historySeconds))
        options.segmentSizeBytes = 8 << 20
        let store = try await Store(
            directoryPath: directory, entities: LiveItem.self, options: options)
        let ids = try await store.box(for: LiveItem.self).put(
            (0..<n).map { LiveItem(owner: Int64($0 % Self.ownerCount), number: 0) })
        var following = StoreOptions.measured
        following.isReadOnly = true
        let follower = try await Store(
            directoryPath: directory, entities: LiveItem.self, options: following)
        let counts = MixedCounts()
        Output.line(MixedCounts.heading)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await store.consumer("mixed", startingFrom: .now)
                    .run(acknowledgingEach: Self.acknowledgedCommitCount) { _ in }
            }
            let writer = BackgroundCall { try write(store, ids, counts) }
            let reader = BackgroundCall { try read(store, counts) }
            let other = BackgroundCall { try read(follower, counts) }
            for minute in 1...minutes where !writer.isDone {
                try await Task.sleep(for: .seconds(60))
                let followed = try follower.sequence
                let lag = try store.sequence - followed
                let waiting = try await store.consumer("mixed").lag()
                Output.line(counts.line(minute, directory, lag: lag, waiting: waiting))
            }
            counts.end()
            try writer.value()
            try reader.value()
            try other.value()
            group.cancelAll()
            do { try await group.waitForAll() } catch is CancellationError {}
        }
        try await follower.close()
        let report = try await store.verify()
        // A note is about a file that the store is creating or removing.
        let findings = report.findings.filter { $0.severity != .note }
        for finding in findings { Output.line("\(finding)") }
        try await store.close()
        guard findings.isEmpty else { throw BenchmarkError("the store is damaged") }
        Output.line("The store is sound.")
    }

    /// Eight of ten commits replace a random object, one adds one, and one removes one. Every
    /// thousandth replaces many.
    private func write(_ store: Store, _ first: [Id], _ counts: MixedCounts) throws {
        let box = store.box(for: LiveItem.self)
        var ids = first
        var random = RandomSource(1)
        func item(_ id: Id) -> LiveItem {
            let item = LiveItem(
                owner: Int64(random.next() % UInt64(Self.ownerCount)),
                number: Int64(random.next() >> 1))
            item.id = id
            return item
        }
        func place() -> Int { Int(random.next() % UInt64(ids.count)) }
        var number = 0
        while !counts.isEnded {
            number += 1
            var stopwatch = Stopwatch()
            try stopwatch.time {
                switch number % 10 {
                case 8: ids.append(try box.put(item(0)))
                case 9:
                    let removed = place()
                    ids.swapAt(removed, ids.count - 1)
                    try box.remove(ids.removeLast())
                default: try box.put(item(ids[place()]))
                }
            }
            counts.committed(stopwatch.wallSeconds)
            if number % 1_000 == 0 {
                let start = place() % max(1, ids.count - Self.bulkCount)
                try box.put(ids[start...].prefix(Self.bulkCount).map(item))
            }
        }
    }

    private func read(_ store: Store, _ counts: MixedCounts) throws {
        let box = store.box(for: LiveItem.self)
        var random = RandomSource(2)
        while !counts.isEnded {
            for _ in 0..<100 { _ = try box.get(random.next() % UInt64(n) + 1) }
            let owner = Int64(random.next() % UInt64(Self.ownerCount))
            _ = try box.query { $0.owner == owner }.find()
            counts.didRead(101)
            usleep(5_000)
        }
    }
}
