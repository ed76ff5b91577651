import Foundation

/// The recorded counts of Daybook's operations, which later versions may not exceed.
struct CounterRecord: Codable {
    /// The share by which a count may exceed the recorded one: the counts of two runs differ by
    /// less.
    private static let tolerance = 0.02

    private let n: Int
    private let operations: [String: Counters]

    init(_ counts: [Operation: Counters], n: Int) {
        self.n = n
        operations = Dictionary(
            uniqueKeysWithValues: counts.map { operation, counters in
                (operation.rawValue, counters.rounded)
            })
    }

    init(readingFrom path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        self = try JSONDecoder().decode(CounterRecord.self, from: data)
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
    }

    /// Throws an error that lists each count above the recorded one.
    func check(_ counts: [Operation: Counters], n: Int) throws {
        guard n == self.n else {
            throw BenchmarkError("the counts were recorded with --n \(self.n), not \(n)")
        }
        var findings: [String] = []
        for (operation, counters) in counts {
            guard let recorded = operations[operation.rawValue] else {
                findings.append("\(operation.rawValue) is not recorded; use --record")
                continue
            }
            for kind in CounterTable.kinds {
                let (now, before) = (kind.value(counters), kind.value(recorded))
                guard now > before * (1 + Self.tolerance) + 0.01 else { continue }
                findings.append("\(operation.rawValue): \(now) \(kind.name), recorded \(before)")
            }
        }
        guard findings.isEmpty else {
            throw BenchmarkError(
                "more work than recorded:\n" + findings.sorted().joined(separator: "\n"))
        }
    }
}

extension Counters {
    /// Two decimals, so that the record stays readable.
    fileprivate var rounded: Counters {
        var counters = self
        counters.instructions = instructions.rounded()
        counters.allocations = (allocations * 100).rounded() / 100
        counters.systemCalls = (systemCalls * 100).rounded() / 100
        return counters
    }
}
