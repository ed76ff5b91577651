import Foundation
import Testing

@testable import Benchmark
@testable import enum Benchmark.Operation

/// The results of a run: the file, the tables and the chart.
@Suite struct ResultTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let guides = "Sources/Daybook/Daybook.docc/"

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func published() throws -> RunResults {
        try RunResults(readingFrom: root.appending(path: "Tools/benchmarks/results.json").path)
    }

    @Test func `the published tables have the published results`() throws {
        let results = try Self.published()
        #expect(results.rows.count == 15)
        #expect(results.titledRows.count == 10)
        let all = ComparisonTable(results).text
        #expect(try Self.text("Tools/benchmarks/README.md").contains("\n\n\(all)\n"))
        let table = ComparisonTable(results).titledText
        for path in ["README.md", Self.guides + "Guides/Benchmarks.md"] {
            #expect(try Self.text(path).contains("\n\n\(table)\n"), "\(path)")
        }
    }

    @Test func `the published chart is the one of the published results`() throws {
        let results = try Self.published()
        let chart = RatioChart(results).svg
        #expect(
            try Self.text(Self.guides + "Resources/benchmarks.svg") == chart,
            "draw it: Tools/benchmarks/run chart")
        var other = results
        other.rows[0].bestRivalRatio? += 0.01
        #expect(RatioChart(other).svg != chart)
    }

    @Test func `the documents show the chart`() throws {
        for (path, link) in [
            ("README.md", Self.guides + "Resources/benchmarks.svg"),
            ("Tools/benchmarks/README.md", "../../\(Self.guides)Resources/benchmarks.svg"),
            (Self.guides + "Guides/Benchmarks.md", "benchmarks.svg"),
        ] {
            #expect(try Self.text(path).contains("](\(link))"), "\(path)")
        }
    }

    /// A published ratio comes from values before they were rounded.
    @Test func `the published ratios are those of the values within their rounding`() throws {
        for row in try Self.published().rows {
            guard let ratio = row.bestRivalRatio else {
                #expect(row.name.hasPrefix("peak RSS"))
                continue
            }
            // The least and the greatest ratio of values that are rounded to these.
            let bounds: [Double] = try [-1, 1].map { (sign: Double) -> Double in
                var values: [String: Double] = [:]
                for (peer, value) in row.values {
                    let step = value < 10 ? 0.0005 : value < 100 ? 0.05 : 0.5
                    values[peer] = peer == "daybook" ? value - sign * step : value + sign * step
                }
                return try #require(RunResults.Row.ratio(values))
            }
            #expect(ratio > bounds[0] - 0.005 && ratio < bounds[1] + 0.005, "\(row.name)")
        }
    }

    /// A result with these times of three runs.
    private static func lines(
        _ peer: PeerName, _ operation: Operation, _ seconds: [Double]
    ) -> [ResultLine] {
        seconds.map {
            var line = ResultLine(peer: peer.rawValue, operation, n: 7, ops: 1)
            line.seconds = $0
            line.peak_rss_mb = 2 * $0
            return line
        }
    }

    @Test func `results are the medians in the unit of the operation`() {
        var lines = Self.lines(.daybook, .putBulk, [3, 1, 2])
        lines += Self.lines(.sqlite, .putBulk, [9, 5])
        lines += Self.lines(.disk, .putBulk, [0.5])
        lines += Self.lines(.daybook, .openWarm, [4])
        let results = RunResults(lines, n: 7, repetitions: 3)
        #expect(results.conditions.objects == 7)
        #expect(results.conditions.repetitions == 3)
        #expect(results.conditions.cores > 0)
        let times = RunResults.Row(
            name: "put_bulk_noidx", unit: "µs/object",
            values: ["daybook": 2e6, "sqlite": 7e6, "disk": 5e5], bestRivalRatio: 3.5)
        let opening = RunResults.Row(name: "open_warm", unit: "ms", values: ["daybook": 4_000])
        let memory = RunResults.Row(
            name: "peak RSS of put_bulk_noidx", unit: "MiB",
            values: ["daybook": 4, "sqlite": 14, "disk": 1])
        #expect(results.rows == [times, opening, memory])
        #expect(RunResults(lines, n: 8, repetitions: 3).rows == [])
        #expect(
            ComparisonTable(results).text == """
                | n = 7 | daybook | sqlite | disk | best rival ÷ daybook |
                | --- | --- | --- | --- | --- |
                | put_bulk_noidx, µs/object | 2000000 | 7000000 | 500000 | 3.50 |
                | open_warm, ms | 4000 |  |  |  |
                | peak RSS of put_bulk_noidx, MiB | 4.000 | 14.0 | 1.000 |  |

                """)
    }

    @Test func `a chart is well-formed, and has a bar for each ratio`() throws {
        let results = try Self.published()
        let chart = RatioChart(results).svg
        #expect(chart.matches(of: /<rect class="better"/).count == 5)
        #expect(chart.matches(of: /<rect class="worse"/).count == 5)
        #expect(chart.contains("<desc id=\"desc\">"))
        #expect(chart.contains("bulk insert, no index 0.42; "))
        #expect(chart.contains("@media (prefers-color-scheme: dark)"))
        for (title, _) in results.titledRows { #expect(chart.contains(">\(title)</text>")) }
        // Every element is closed.
        var open: [Substring] = []
        for match in chart.matches(of: /<(\/?)([a-z]+)[^>]*?(\/?)>/) {
            if match.1 == "/" {
                #expect(open.popLast() == match.2)
            } else if match.3 != "/" {
                open.append(match.2)
            }
        }
        #expect(open == [])
    }

    @Test func `a chart without ratios has an axis`() {
        let results = RunResults([], n: 1, repetitions: 1)
        #expect(RatioChart(results).svg.contains("class=\"one\""))
        #expect(!RatioChart(results).svg.contains("nan"))
    }

    @Test func `a comparison writes its results, and chart draws them`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "daybook-results-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "results.json").path
        let chart = folder.appending(path: "chart.svg").path
        _ = try run([
            "compare", "--n", "50", "--reps", "1", "--peers", "daybook,sqlite", "--ops",
            "put_bulk_noidx,scan_all", "--dir", folder.path, "--json", file,
        ])
        let results = try RunResults(readingFrom: file)
        #expect(results.conditions.objects == 50)
        #expect(
            results.rows.map(\.name)
                == ["put_bulk_noidx", "scan_all", "peak RSS of put_bulk_noidx"])
        #expect(results.rows.allSatisfy { $0.values.count == 2 })
        #expect(results.rows[0].bestRivalRatio != nil)
        let printed = try run(["chart", "--json", file, "--svg", chart])
        #expect(printed.contains("| scan of all objects, ns/object | "))
        #expect(try String(contentsOfFile: chart, encoding: .utf8) == RatioChart(results).svg)
        #expect(throws: BenchmarkError.self) {
            try Comparison(try Arguments(["--n", "1,2", "--json", file]))
        }
    }

    /// Runs the program beside the test bundle. Returns its output.
    private func run(_ arguments: [String]) throws -> String {
        var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        var program = folder
        repeat {
            folder.deleteLastPathComponent()
            program = folder.appending(path: "Benchmark")
        } while folder.pathComponents.count > 1
            && !FileManager.default.isExecutableFile(atPath: program.path)
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }
}
