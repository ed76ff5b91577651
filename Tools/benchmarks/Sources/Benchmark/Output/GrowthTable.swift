/// The results of each operation at several sizes, as a Markdown table: one row for each size.
struct GrowthTable {
    private let lines: [ResultLine]

    init(_ lines: [ResultLine]) { self.lines = lines }

    var text: String {
        let peers = PeerName.allCases.filter { peer in lines.contains { $0.peer == peer.rawValue } }
        let names = peers.map(\.rawValue)
        let sizes = Set(lines.map(\.n)).sorted()
        var rows = [
            ["operation", "n"] + names + ["best rival ÷ daybook"] + names.map { "\($0), peak MiB" },
            Array(repeating: "---", count: 2 * peers.count + 3),
        ]
        for operation in Operation.allCases {
            for n in sizes {
                let table = ComparisonTable(lines.filter { $0.n == n }, n: n)
                let figures = peers.map { peer in
                    table.median(operation, peer) { table.value($0, operation) }
                }
                guard figures.contains(where: { $0 != nil }) else { continue }
                let memory = peers.map { peer in
                    operation.isSize ? nil : table.median(operation, peer) { $0.peak_rss_mb }
                }
                let rivals = zip(peers, figures).compactMap { $0 == .daybook ? nil : $1 }
                let own = zip(peers, figures).first { $0.0 == .daybook }?.1
                rows.append(
                    ["\(operation.rawValue), \(operation.unit.name)", "\(n)"]
                        + figures.map(ComparisonTable.short)
                        + [ComparisonTable.ratio(rivals.min(), own ?? nil)]
                        + memory.map(ComparisonTable.short))
            }
        }
        return rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n") + "\n"
    }
}
