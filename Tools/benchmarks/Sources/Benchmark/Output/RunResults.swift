import Foundation

/// The results of one run at one size, as a JSON file: `compare --json` writes it, and `chart`
/// draws it.
struct RunResults: Codable, Equatable {
    var conditions: Conditions
    var rows: [Row]

    struct Conditions: Codable, Equatable {
        /// The day of the run; nil if it is not known.
        var date: String?
        /// The number of objects in the database.
        var objects: Int
        /// The number of repetitions whose medians the rows have.
        var repetitions: Int
        var processor: String?
        var cores: Int
        var system: String
        /// Circumstances that the program does not find out itself.
        var notes: String?
    }

    struct Row: Codable, Equatable {
        /// The operation, or the operation whose memory was measured.
        var name: String
        var unit: String
        /// The median for each peer.
        var values: [String: Double]
        /// The smallest value of another database, divided by that of Daybook; nil for memory. It
        /// is the ratio of the measured values, so that of rounded `values` may differ.
        var bestRivalRatio: Double?
    }
}

extension RunResults {
    /// The medians of the measurements at a size.
    init(_ lines: [ResultLine], n: Int, repetitions: Int) {
        conditions = Conditions(objects: n, repetitions: repetitions)
        let medians = Medians(lines, n: n)
        rows = Operation.allCases.map { operation in
            Row(operation.rawValue, operation.unit.name, medians.peers) {
                medians.figure(operation, $0)
            }
        }
        rows += [Operation.putBulk, .getRandom].map { operation in
            var row = Row("peak RSS of \(operation.rawValue)", "MiB", medians.peers) {
                medians.peakMemory(operation, $0)
            }
            row.bestRivalRatio = nil
            return row
        }
        rows.removeAll { $0.values.isEmpty }
    }

    init(readingFrom path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        self = try JSONDecoder().decode(RunResults.self, from: data)
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
    }

    /// The peers with results, in the order of the tables.
    var peers: [PeerName] {
        PeerName.allCases.filter { peer in rows.contains { $0.values[peer.rawValue] != nil } }
    }

    /// The rows that the guides and the chart show, with their titles.
    var titledRows: [(title: String, row: Row)] {
        rows.compactMap { row in
            Operation(rawValue: row.name)?.title.map { ($0, row) }
        }
    }
}

extension RunResults.Conditions {
    /// The conditions of this process.
    init(objects: Int, repetitions: Int) {
        self.init(
            date: Date.now.formatted(.iso8601.year().month().day()), objects: objects,
            repetitions: repetitions, processor: MachineState.processor,
            cores: ProcessInfo.processInfo.activeProcessorCount,
            system: ProcessInfo.processInfo.operatingSystemVersionString)
    }
}

extension RunResults.Row {
    init(
        _ name: String, _ unit: String, _ peers: [PeerName], _ value: (PeerName) -> Double?
    ) {
        self.name = name
        self.unit = unit
        values = [:]
        for peer in peers { values[peer.rawValue] = value(peer) }
        bestRivalRatio = Self.ratio(values)
    }

    /// Returns the smallest value of another database, divided by that of Daybook.
    static func ratio(_ values: [String: Double]) -> Double? {
        let rivals = PeerName.allCases.filter { $0 != .daybook && !$0.isProbe }
        guard let own = values[PeerName.daybook.rawValue], own > 0,
            let best = rivals.compactMap({ values[$0.rawValue] }).min()
        else { return nil }
        return best / own
    }
}
