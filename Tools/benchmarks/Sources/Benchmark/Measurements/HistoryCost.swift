import Daybook
import Foundation

/// `benchmark history --n 1000000`: measures the history of one object that was written alone or in
/// a bulk of n, and past views of a store with n objects and n / 10 later commits.
struct HistoryCost {
    private static let lookupCount = 200
    private static let viewCount = 20

    let n: Int
    let directory: String

    func run() throws {
        var options = StoreOptions()
        options.durability = .manual
        let store = try Store(
            directoryPath: directory, entities: LiveItem.self, options: options)
        let box: Box<LiveItem> = store.box()
        let items = (0..<n).map { LiveItem(owner: Int64($0 % 1_000), number: 0) }
        try box.put(items)
        for item in items { item.number = 1 }
        try box.put(items)
        // These are written alone, twice.
        let alone = (0..<Self.lookupCount).map { LiveItem(owner: Int64($0), number: 0) }
        for number in 1...2 {
            for item in alone {
                item.number = Int64(number)
                try box.put(item)
            }
        }
        Output.line("| history of an object | time |")
        Output.line("| --- | --- |")
        try line("written alone", histories(box, alone.map(\.id)))
        let step = n / Self.lookupCount
        try line(
            "written in a bulk of \(n)",
            histories(box, (0..<Self.lookupCount).map { UInt64($0 * step + 1) }))
        try views(store, box, items)
        try store.close()
    }

    /// Measures the reads of two versions of each object.
    private func histories(_ box: Box<LiveItem>, _ ids: [UInt64]) throws -> Double {
        _ = try box.history(of: ids[0])
        var stopwatch = Stopwatch()
        for id in ids {
            let count = try stopwatch.time { try box.history(of: id).count }
            guard count == 2 else { throw BenchmarkError("object \(id) has \(count) versions") }
        }
        return stopwatch.wallSeconds / Double(ids.count)
    }

    private func views(
        _ store: Store, _ box: Box<LiveItem>, _ items: [LiveItem]
    ) throws {
        let commitCount = n / 10
        for number in 0..<commitCount {
            let item = items[number * 7_919 % n]
            item.number += 1
            try box.put(item)
        }
        let first = try store.sequence - UInt64(commitCount)
        func view(_ sequence: UInt64) throws {
            let id = items[Int(sequence % UInt64(n))].id
            let view = try store.view(at: .sequence(sequence))
            guard try view.box(for: LiveItem.self).get(id) != nil else {
                throw BenchmarkError("object \(id) is missing at \(sequence)")
            }
        }
        Output.line("| past view of \(n) objects, \(commitCount) commits | time |")
        Output.line("| --- | --- |")
        var random = RandomSource(7)
        var stopwatch = Stopwatch()
        for _ in 0..<Self.viewCount {
            let sequence = first + random.next() % UInt64(commitCount)
            try stopwatch.time { try view(sequence) }
        }
        try line("at a random commit", stopwatch.wallSeconds / Double(Self.viewCount))
        let start = first + UInt64(commitCount / 2)
        try view(start)
        for (name, step) in [("the next commit", 1), ("the commit before", -1)] {
            try view(start)
            var stopwatch = Stopwatch()
            for number in 1...Self.viewCount {
                try stopwatch.time { try view(UInt64(Int(start) + step * number)) }
            }
            try line(name, stopwatch.wallSeconds / Double(Self.viewCount))
        }
    }

    private func line(_ name: String, _ seconds: Double) throws {
        Output.line("| \(name) | \(String(format: "%.1f", seconds * 1e6)) µs |")
    }
}
