import Foundation

/// `benchmark compare …` compares peers, each measurement in its own process; `benchmark measure …`
/// is such a process. `benchmark grow …` compares the main operations at growing sizes. `benchmark
/// links …` measures the cost of an additional link, `benchmark queries …` the cost of queries,
/// `benchmark live …` the cost of live queries, `benchmark history …` the cost of earlier versions,
/// and `benchmark compact …` the times of commits beside a compaction. `benchmark mixed …` uses a
/// store for an hour.
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
            case "grow":
                var growth = try Comparison(try Arguments(words.dropFirst(), defaults: .growth))
                try growth.run()
                Output.line(GrowthTable(growth.lines).text)
            case "links": try measureLinks(arguments)
            case "queries": try measureQueries(arguments)
            case "live": try await measureLive(arguments)
            case "history": try measureHistory(arguments)
            case "compact": try measureCompaction(arguments)
            case "mixed": try await runMixed(arguments)
            default:
                throw BenchmarkError("start it by Tools/benchmarks/run; README.md has the options")
            }
        } catch {
            Output.note("benchmark: \(error)")
            exit(1)
        }
    }

    private static func measureLinks(_ arguments: Arguments) throws {
        let parent = arguments.directory ?? NSTemporaryDirectory()
        let directory = parent + "/daybook-links-\(ProcessInfo.processInfo.processIdentifier)"

        for n in arguments.sizes {
            let directory = "\(directory)-\(n)"
            defer { try? FileManager.default.removeItem(atPath: directory) }
            try LinkGrowth(n: n, directory: directory).run()
        }
    }

    private static func measureQueries(_ arguments: Arguments) throws {
        let parent = arguments.directory ?? NSTemporaryDirectory()
        for n in arguments.sizes {
            let directory = "\(parent)/daybook-queries-\(getpid())-\(n)"
            defer { try? FileManager.default.removeItem(atPath: directory) }
            try QueryTimes(n: n, directory: directory).run()
        }
    }

    private static func measureLive(_ arguments: Arguments) async throws {
        let parent = arguments.directory ?? NSTemporaryDirectory()
        for n in arguments.sizes {
            let directory = "\(parent)/daybook-live-\(getpid())-\(n)"
            defer { try? FileManager.default.removeItem(atPath: directory) }
            try await LiveQueryCost(n: n, directory: directory).run()
        }
    }

    private static func measureHistory(_ arguments: Arguments) throws {
        let parent = arguments.directory ?? NSTemporaryDirectory()
        for n in arguments.sizes {
            let directory = "\(parent)/daybook-history-\(getpid())-\(n)"
            defer { try? FileManager.default.removeItem(atPath: directory) }
            try HistoryCost(n: n, directory: directory).run()
        }
    }

    private static func measureCompaction(_ arguments: Arguments) throws {
        let parent = arguments.directory ?? NSTemporaryDirectory()
        for n in arguments.sizes {
            let directory = "\(parent)/daybook-compact-\(getpid())-\(n)"
            defer { try? FileManager.default.removeItem(atPath: directory) }
            try CompactionCost(n: n, directory: directory).run()
        }
    }

    private static func runMixed(_ arguments: Arguments) async throws {
        let parent = arguments.directory ?? NSTemporaryDirectory()
        let directory = "\(parent)/daybook-mixed-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await MixedRun(
            n: arguments.sizes[0], minutes: arguments.minutes, directory: directory
        ).run()
    }

    private static func measure(_ arguments: Arguments) throws {
        guard let directory = arguments.directory else { throw BenchmarkError("--dir is needed") }
        let line = try arguments.peers[0].measure(
            arguments.operations[0], n: arguments.sizes[0], directory: directory)
        Output.line(line.json)
    }
}
