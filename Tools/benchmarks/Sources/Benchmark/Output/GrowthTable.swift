/// The results of each operation at several sizes, as a Markdown table: one row for each size.
struct GrowthTable {
    private let lines: [ResultLine]

    init(_ lines: [ResultLine]) { self.lines = lines }

    var text: String {
        let peers = PeerName.allCases.filter { peer in lines.contains { $0.peer == peer.rawValue } }
        let names = peers.map(\.rawValue)
        let sizes = Set(lines.map(\.n)).sorted().map { ($0, Medians(lines, n: $0)) }
        var rows: [[String]] = []
        for operation in Operation.allCases {
            for (n, medians) in sizes {
                let row = RunResults.Row(operation.rawValue, operation.unit.name, peers) {
                    medians.figure(operation, $0)
                }
                guard !row.values.isEmpty else { continue }
                let memory = peers.map {
                    operation.isSize ? nil : medians.peakMemory(operation, $0)
                }
                rows.append(
                    ["\(row.name), \(row.unit)", "\(n)"]
                        + names.map { ComparisonTable.short(row.values[$0]) }
                        + [ComparisonTable.ratio(row.bestRivalRatio)]
                        + memory.map(ComparisonTable.short))
            }
        }
        return ComparisonTable.markdown(
            ["operation", "n"] + names + ["best rival ÷ daybook"]
                + names.map { "\($0), peak MiB" }, rows)
    }
}
