import Daybook
import Foundation

/// `benchmark compact --n 1000000`: measures the times of durable commits of one object, alone and
/// beside a compaction that drops two of three versions of n objects.
struct CompactionCost {
    private static let commitCount = 5_000

    let n: Int
    let directory: String

    func run() throws {
        var options = StoreOptions()
        // No other work in the background disturbs the comparison.
        options.isMaintenanceAutomatic = false
        let store = try Store(
            directoryPath: directory, entities: LiveItem.self, options: options)
        let box: Box<LiveItem> = store.box()
        let items = (0..<n).map { LiveItem(owner: Int64($0 % 1_000), number: 0) }
        for number in 0..<3 {
            for item in items { item.number = Int64(number) }
            for start in stride(from: 0, to: n, by: 10_000) {
                try box.put(Array(items[start..<min(start + 10_000, n)]))
            }
        }
        var remaining = Self.commitCount
        let alone = try commitTimes(box) {
            remaining -= 1
            return remaining >= 0
        }
        Output.line("| commits of \(n) objects | p50 | p99 | longest | commits |")
        Output.line("| --- | --- | --- | --- | --- |")
        line("alone", alone)
        let compaction = BackgroundCall { try store.compact(keeping: .latest) }
        let beside = try commitTimes(box) { !compaction.isDone }
        let report = try compaction.value()
        line("beside a compaction", beside)
        Output.line(
            "| log before and after | \(report.bytesBefore >> 20) MiB | "
                + "\((report.bytesAfter ?? 0) >> 20) MiB | | |")
        Output.line(
            String(
                format: "| p99 beside a compaction ÷ p99 alone | %.2f | | | |",
                part(beside, 0.99) / part(alone, 0.99)))
        try store.close()
    }

    /// The sorted times of durable puts of new objects, in microseconds, while `continues` is true.
    private func commitTimes(
        _ box: Box<LiveItem>, while continues: () -> Bool
    ) throws -> [Double] {
        var times: [Double] = []
        while continues() {
            var stopwatch = Stopwatch()
            try stopwatch.time { _ = try box.put(LiveItem(owner: 0, number: 0)) }
            times.append(stopwatch.wallSeconds * 1e6)
        }
        guard times.count >= 100 else {
            throw BenchmarkError("\(times.count) commits are too few: raise --n")
        }
        return times.sorted()
    }

    private func part(_ times: [Double], _ fraction: Double) -> Double {
        times[Int(fraction * Double(times.count - 1))]
    }

    private func line(_ name: String, _ times: [Double]) {
        Output.line(
            String(
                format: "| %@ | %.0f µs | %.0f µs | %.1f ms | %d |", name, part(times, 0.5),
                part(times, 0.99), part(times, 1) / 1e3, times.count))
    }
}
