import Foundation

/// The medians of the measurements, as a Markdown table.
struct ComparisonTable {
    private let lines: [ResultLine]
    private let n: Int

    init(_ lines: [ResultLine], n: Int) {
        self.lines = lines
        self.n = n
    }

    var text: String {
        let peers = PeerName.allCases.filter { peer in lines.contains { $0.peer == peer.rawValue } }
        var rows = [
            ["n = \(n)"] + peers.map(\.rawValue) + ["best rival ÷ daybook"],
            Array(repeating: "---", count: peers.count + 2),
        ]
        for operation in Operation.allCases {
            let figures = peers.map { median(operation, $0) { value($0, operation) } }
            guard figures.contains(where: { $0 != nil }) else { continue }
            let rivals = zip(peers, figures).compactMap { peer, figure in
                peer == .daybook || peer.isProbe ? nil : figure
            }
            let own = zip(peers, figures).first { $0.0 == .daybook }?.1
            rows.append(
                ["\(operation.rawValue), \(operation.unit.name)"] + figures.map(Self.short)
                    + [Self.ratio(rivals.min(), own ?? nil)])
        }
        for operation in [Operation.putBulk, .getRandom] {
            let figures = peers.map { median(operation, $0) { $0.peak_rss_mb } }
            guard figures.contains(where: { $0 != nil }) else { continue }
            rows.append(["peak RSS of \(operation.rawValue), MiB"] + figures.map(Self.short) + [""])
        }
        return rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n") + "\n"
    }

    func value(_ line: ResultLine, _ operation: Operation) -> Double {
        if operation.isSize { return line.disk_mb }
        if operation == .updateWritten { return line.written_mb * 1_048_576 / Double(line.ops) }
        let seconds = operation.isBoundByProcessor ? line.cpu_s : line.seconds
        return seconds / Double(max(line.ops, 1)) * operation.unit.perSecond
    }

    func median(
        _ operation: Operation, _ peer: PeerName, _ value: (ResultLine) -> Double
    ) -> Double? {
        let values = lines.filter { $0.op == operation.rawValue && $0.peer == peer.rawValue }
            .map(value).sorted()
        guard !values.isEmpty else { return nil }
        let middle = values.count / 2
        return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
    }

    static func short(_ value: Double?) -> String {
        guard let value else { return "" }
        return String(format: value < 10 ? "%.3f" : value < 100 ? "%.1f" : "%.0f", value)
    }

    static func ratio(_ rival: Double?, _ own: Double?) -> String {
        guard let rival, let own, own > 0 else { return "" }
        return String(format: "%.2f", rival / own)
    }
}
