/// Counts of work as a Markdown table: one row for each operation.
struct CounterTable {
    private let counts: [PeerName: [Operation: Counters]]
    private let n: Int

    init(_ counts: [PeerName: [Operation: Counters]], n: Int) {
        self.counts = counts
        self.n = n
    }

    /// The kinds of counts, in the order of the columns.
    static let kinds: [(name: String, value: @Sendable (Counters) -> Double)] = [
        ("instructions", { $0.instructions }), ("allocations", { $0.allocations }),
        ("system calls", { $0.systemCalls }),
    ]

    var text: String {
        let peers = PeerName.allCases.filter { counts[$0] != nil }
        var rows = [
            ["n = \(n)"]
                + Self.kinds.flatMap { kind in peers.map { "\(kind.name): \($0.rawValue)" } },
            Array(repeating: "---", count: 1 + Self.kinds.count * peers.count),
        ]
        for operation in Operation.counted {
            let figures = Self.kinds.flatMap { kind in
                peers.map { counts[$0]?[operation].map(kind.value) }
            }
            guard figures.contains(where: { $0 != nil }) else { continue }
            rows.append([operation.rawValue] + figures.map(ComparisonTable.short))
        }
        return rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n") + "\n"
    }
}
