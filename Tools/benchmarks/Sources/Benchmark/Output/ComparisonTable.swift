import Foundation

/// The results of a run, as a Markdown table.
struct ComparisonTable {
    private let results: RunResults

    init(_ results: RunResults) { self.results = results }

    /// All results, with the names of operations and peers.
    var text: String {
        let peers = results.peers
        return Self.markdown(
            ["n = \(results.conditions.objects)"] + peers.map(\.rawValue)
                + ["best rival ÷ daybook"],
            results.rows.map { row in
                ["\(row.name), \(row.unit)"] + peers.map { Self.short(row.values[$0.rawValue]) }
                    + [Self.ratio(row.bestRivalRatio)]
            })
    }

    /// The operations that have titles, beside the databases: the table of the guides.
    var titledText: String {
        let peers = results.peers.filter { !$0.isProbe }
        return Self.markdown(
            ["Operation"] + peers.map(\.title) + ["Best rival ÷ Daybook"],
            results.titledRows.map { title, row in
                ["\(title), \(row.unit)"] + peers.map { Self.short(row.values[$0.rawValue]) }
                    + [Self.ratio(row.bestRivalRatio)]
            })
    }

    static func markdown(_ heading: [String], _ rows: [[String]]) -> String {
        ([heading, heading.map { _ in "---" }] + rows)
            .map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }

    static func short(_ value: Double?) -> String {
        guard let value else { return "" }
        return String(format: value < 10 ? "%.3f" : value < 100 ? "%.1f" : "%.0f", value)
    }

    static func ratio(_ ratio: Double?) -> String {
        ratio.map { String(format: "%.2f", $0) } ?? ""
    }
}
