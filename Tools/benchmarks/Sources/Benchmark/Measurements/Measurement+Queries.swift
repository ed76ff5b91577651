// Queries on items with two indexes.
extension Measurement {
    func queryEqual() throws -> ResultLine {
        try query(count: 10_000, seed: 5) { peer, random in
            try peer.items(of: 1 + random.next(below: ItemGenerator.customerCount))
        }
    }

    func queryRange() throws -> ResultLine {
        try query(count: 1_000, seed: 6) { peer, random in
            let start = random.next(below: UInt64(max(1, n - 4600))) + 3600
            let date = ItemGenerator.firstDate + Int64(start) * 1000
            return try peer.items(in: date..<date + 1_000_000)
        }
    }

    func queryScanFilter() throws -> ResultLine {
        let peer = try warmedIndexed()
        var stopwatch = Stopwatch()
        var total = 0
        try stopwatch.time {
            for step in 0..<5 {
                total += try peer.count(below: 500_000 - Int32(step) * 1000, prefix: "a")
            }
        }
        try peer.close()
        return result(5, stopwatch, UInt64(total))
    }

    private func query(
        count: Int, seed: UInt64,
        _ ask: (P.Indexed, inout RandomSource) throws -> [P.Indexed.Indexed]
    ) throws -> ResultLine {
        let peer = try warmedIndexed()
        var random = RandomSource(seed)
        var seen = Checksum()
        var stopwatch = Stopwatch()
        try stopwatch.time {
            for _ in 0..<count {
                for item in try ask(peer, &random) { seen.add(item, of: item.customerId) }
            }
        }
        try peer.close()
        return result(count, stopwatch, seen.value)
    }

    private func warmedIndexed() throws -> P.Indexed {
        let peer = try P.Indexed(directory: directory)
        try peer.readAll()
        return peer
    }
}
