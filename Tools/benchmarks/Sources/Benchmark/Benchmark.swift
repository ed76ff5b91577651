import Foundation

/// `benchmark compare …` compares peers, each measurement in its own process; `benchmark measure …`
/// is such a process. `benchmark grow …` compares the main operations at growing sizes, and
/// `benchmark counters …` counts their instructions, allocations and system calls. `benchmark links
/// …` measures the cost of an additional link, `benchmark queries …` the cost of queries,
/// `benchmark live …` the cost of live queries, `benchmark history …` the cost of earlier versions,
/// `benchmark vectors …` searches for nearest neighbours, and `benchmark compact …` the times of
/// commits beside a compaction. `benchmark mixed …` uses a store for an hour. `benchmark chart …`
/// draws the results that `compare --json` wrote.
@main
enum Benchmark {
    static func main() async {
        do {
            let words = CommandLine.arguments.dropFirst()
            let command = words.first
            let arguments = try Arguments(words.dropFirst())
            switch command {
            case "compare":
                var comparison = try Comparison(arguments)
                try comparison.run()
            case "measure": try measure(arguments)
            case "chart":
                let results = try RunResults(readingFrom: arguments.results ?? "results.json")
                try Data(RatioChart(results).svg.utf8).write(to: URL(filePath: arguments.chart))
                Output.line(ComparisonTable(results).titledText)
            case "grow":
                var growth = try Comparison(try Arguments(words.dropFirst(), defaults: .growth))
                try growth.run()
                Output.line(GrowthTable(growth.lines).text)
            case "counters":
                try CounterRun(try Arguments(words.dropFirst(), defaults: .counters)).run()
            case "links":
                try await forEachSize("links", arguments) {
                    try LinkGrowth(n: $0, directory: $1).run()
                }
            case "queries":
                try await forEachSize("queries", arguments) {
                    try QueryTimes(n: $0, directory: $1).run()
                }
            case "live":
                try await forEachSize("live", arguments) {
                    try await LiveQueryCost(n: $0, directory: $1).run()
                }
            case "history":
                try await forEachSize("history", arguments) {
                    try HistoryCost(n: $0, directory: $1).run()
                }
            case "compact":
                try await forEachSize("compact", arguments) {
                    try CompactionCost(n: $0, directory: $1).run()
                }
            case "vectors":
                guard let directory = arguments.directory else {
                    throw BenchmarkError("--dir is needed: the directory of vectors.py")
                }
                try VectorTimes(directory: directory).run()
            case "mixed":
                try await forEachSize("mixed", arguments) {
                    try await MixedRun(n: $0, minutes: arguments.minutes, directory: $1).run()
                }
            default:
                throw BenchmarkError("start it by Tools/benchmarks/run; README.md has the options")
            }
        } catch {
            Output.note("benchmark: \(error)")
            exit(1)
        }
    }

    /// Runs a measurement for each size in an empty directory, which is removed afterwards.
    private static func forEachSize(
        _ name: String, _ arguments: Arguments,
        _ body: @Sendable (Int, String) async throws -> Void
    ) async throws {
        let parent = arguments.directory ?? NSTemporaryDirectory()
        for n in arguments.sizes {
            let directory = "\(parent)/daybook-\(name)-\(getpid())-\(n)"
            defer { try? FileManager.default.removeItem(atPath: directory) }
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true)
            try await body(n, directory)
        }
    }

    private static func measure(_ arguments: Arguments) throws {
        guard let directory = arguments.directory else { throw BenchmarkError("--dir is needed") }
        let line = try arguments.peers[0].measure(
            arguments.operations[0], n: arguments.sizes[0], directory: directory)
        Output.line(line.json)
    }
}
