/// The medians of measurements with databases of one size.
struct Medians {
    private let lines: [ResultLine]

    init(_ lines: [ResultLine], n: Int) { self.lines = lines.filter { $0.n == n } }

    /// The peers with measurements, in the order of the tables.
    var peers: [PeerName] {
        PeerName.allCases.filter { peer in lines.contains { $0.peer == peer.rawValue } }
    }

    /// Returns the median in the unit of the operation; nil if the peer did not run it.
    func figure(_ operation: Operation, _ peer: PeerName) -> Double? {
        median(operation, peer) { line in
            if operation.isSize { return line.disk_mb }
            if operation == .updateWritten { return line.written_mb * 1_048_576 / Double(line.ops) }
            let seconds = operation.isBoundByProcessor ? line.cpu_s : line.seconds
            return seconds / Double(max(line.ops, 1)) * operation.unit.perSecond
        }
    }

    /// Returns the median of the process's memory, in MiB.
    func peakMemory(_ operation: Operation, _ peer: PeerName) -> Double? {
        median(operation, peer) { $0.peak_rss_mb }
    }

    private func median(
        _ operation: Operation, _ peer: PeerName, _ value: (ResultLine) -> Double
    ) -> Double? {
        let values = lines.filter { $0.op == operation.rawValue && $0.peer == peer.rawValue }
            .map(value).sorted()
        guard !values.isEmpty else { return nil }
        let middle = values.count / 2
        return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
    }
}
