import Foundation

/// Measures one operation of one peer in this process.
struct Measurement<P: Peer>: Sendable {
    /// The number of objects in a transaction of a bulk operation.
    static var transactionCount: Int { 10_000 }
    /// The number of objects that a bulk operation changes.
    static var changeCount: Int { 100_000 }

    let operation: Operation
    let peerName: String
    let n: Int
    let directory: String
    private let generator = ItemGenerator()

    init(_ operation: Operation, of peerName: String, n: Int, directory: String) {
        self.operation = operation
        self.peerName = peerName
        self.n = n
        self.directory = directory
    }

    /// Runs the measurement. Creating objects, warming up and checking are not timed.
    func run() throws -> ResultLine {
        switch operation {
        case .putBulk: try putBulk(into: open())
        case .putSingleDurable: try putSingle(count: 2_000)
        case .putSingleRelaxed: try putSingle(count: min(100_000, n))
        case .updateBulk, .updateWritten: try updateBulk()
        case .removeBulk: try removeBulk()
        case .getRandom: try getRandom(threadCount: 1)
        case .getRandomTwoThreads: try getRandom(threadCount: 2)
        case .scanAll: try scanAll()
        case .openWarm, .openCold: try openAndGet()
        case .relateBulk: try putBulk(into: related())
        case .traverse: try traverse()
        case .indexBulk: try putBulk(into: P.Indexed(directory: directory))
        case .queryEqual: try queryEqual()
        case .queryRange: try queryRange()
        case .queryScanFilter: try queryScanFilter()
        case .disk, .diskLog: result(1, Stopwatch(), 0)
        }
    }

    // MARK: Writing

    private func putBulk(into peer: some FillablePeer) throws -> ResultLine {
        var stopwatch = Stopwatch()
        var checksum = Checksum()
        for first in stride(from: 1, through: n, by: Self.transactionCount) {
            let last = min(first + Self.transactionCount - 1, n)
            let items = (first...last).map { generator.item(UInt64($0)) }
            try stopwatch.time { try peer.insert(items) }
            for item in items { checksum.add(item) }
        }
        try peer.close()
        return result(n, stopwatch, checksum.value)
    }

    private func putSingle(count: Int) throws -> ResultLine {
        let peer = try open()
        var stopwatch = Stopwatch()
        var checksum = Checksum()
        let items = (1...count).map { generator.item(UInt64(n + $0)) }
        try stopwatch.time { for item in items { try peer.insert(item) } }
        for item in items { checksum.add(item) }
        try peer.close()
        return result(count, stopwatch, checksum.value)
    }

    private func updateBulk() throws -> ResultLine {
        let peer = try warmedUp()
        var random = RandomSource(7)
        var ids: [UInt64] = []
        var texts: [String] = []
        for _ in 0..<Self.changeCount {
            ids.append(1 + random.next(below: UInt64(n)))
            texts.append(generator.text(&random))
        }
        var stopwatch = Stopwatch()
        var checksum = Checksum()
        var next = texts.makeIterator()
        try stopwatch.time {
            for start in stride(from: 0, to: ids.count, by: Self.transactionCount) {
                let end = min(start + Self.transactionCount, ids.count)
                try peer.update(ids[start..<end]) { item in
                    item.i32 = (item.i32 + 1) % 1_000_000
                    item.f64 += 1
                    item.text = next.next() ?? ""
                    checksum.add(item)
                }
            }
        }
        let after = try contents(of: peer)
        try peer.close()
        return result(ids.count, stopwatch, checksum.value ^ after.value)
    }

    private func removeBulk() throws -> ResultLine {
        let peer = try warmedUp()
        let ids = (0..<min(Self.changeCount, n / 2)).map {
            UInt64(1 + ($0 * 7_368_787 + 12_345) % n)
        }
        var stopwatch = Stopwatch()
        try stopwatch.time {
            for start in stride(from: 0, to: ids.count, by: Self.transactionCount) {
                try peer.remove(ids[start..<min(start + Self.transactionCount, ids.count)])
            }
        }
        let after = try contents(of: peer)
        try peer.close()
        return result(ids.count, stopwatch, after.value)
    }

    // MARK: Reading

    private func getRandom(threadCount: Int) throws -> ResultLine {
        let peer = try warmedUp()
        let count = min(1_000_000, 10 * n) / threadCount
        let readers = try (0..<threadCount).map { _ in try peer.makeReader() }
        var stopwatch = Stopwatch()
        let checksum = try stopwatch.time {
            try Threads.run(threadCount) { thread in
                try get(count, from: readers[thread], seed: UInt64(99 + thread))
            }
            .reduce(into: Checksum()) { $0.add($1) }
        }
        let line = result(count * threadCount, stopwatch, checksum.value)
        for reader in readers { try reader.close() }
        try peer.close()
        return line
    }

    private func get(_ count: Int, from reader: P.Reader, seed: UInt64) throws -> Checksum {
        var random = RandomSource(seed)
        var checksum = Checksum()
        for _ in 0..<count {
            let id = 1 + random.next(below: UInt64(n))
            guard let item = try reader.get(id) else { throw BenchmarkError("no object \(id)") }
            checksum.add(item)
        }
        return checksum
    }

    private func scanAll() throws -> ResultLine {
        let peer = try warmedUp()
        var stopwatch = Stopwatch()
        let seen = try stopwatch.time { try contents(of: peer) }
        try peer.close()
        return result(Int(seen.count), stopwatch, seen.value)
    }

    private func openAndGet() throws -> ResultLine {
        var stopwatch = Stopwatch()
        var checksum = Checksum()
        let id = UInt64(n / 2)
        let (peer, reader, item) = try stopwatch.time {
            let peer = try open()
            let reader = try peer.makeReader()
            return (peer, reader, try reader.get(id))
        }
        guard let item else { throw BenchmarkError("no object \(id)") }
        checksum.add(item)
        let line = result(1, stopwatch, checksum.value)
        try reader.close()
        try peer.close()
        return line
    }

    // MARK: Relations

    private func traverse() throws -> ResultLine {
        let peer = try related()
        // Warm up.
        try peer.traverse { _, _ in }
        var stopwatch = Stopwatch()
        var seen = Checksum()
        try stopwatch.time { try peer.traverse { seen.add($1, of: $0) } }
        try peer.close()
        return result(Int(seen.count), stopwatch, seen.value)
    }

    // MARK: Steps

    private func open() throws -> P {
        try P(directory: directory, isRelaxed: operation == .putSingleRelaxed)
    }

    private func related() throws -> P.Related {
        try P.Related(directory: directory, customerCount: ItemGenerator.customerCount)
    }

    /// Opens the database and reads every object once.
    private func warmedUp() throws -> P {
        let peer = try open()
        guard try contents(of: peer).count > 0 else {
            throw BenchmarkError("there is nothing in \(directory)")
        }
        return peer
    }

    private func contents(of peer: P) throws -> Checksum {
        var seen = Checksum()
        try peer.scan { seen.add($0) }
        return seen
    }

    func result(_ ops: Int, _ stopwatch: Stopwatch, _ checksum: UInt64) -> ResultLine {
        var line = ResultLine(peer: peerName, operation, n: n, ops: ops)
        line.note(stopwatch, checksum, directory: directory)
        return line
    }
}
