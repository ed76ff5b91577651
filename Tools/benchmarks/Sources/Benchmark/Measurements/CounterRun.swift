import Foundation

/// Counts the work of the operations of each peer, and compares Daybook's with recorded counts.
struct CounterRun {
    private let arguments: Arguments
    private let scratch: ScratchDirectories
    private let n: Int

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        scratch = try ScratchDirectories(arguments.directory)
        n = arguments.sizes[0]
    }

    /// Prints a table. With `--check`, throws if an operation of Daybook does more than was
    /// recorded; with `--record`, records the counts.
    func run() throws {
        defer { scratch.removeAll() }
        var counts: [PeerName: [Operation: Counters]] = [:]
        for operation in Operation.counted {
            for peer in arguments.peers where peer.runs(operation) {
                counts[peer, default: [:]][operation] = try count(operation, peer)
            }
        }
        let table = CounterTable(counts, n: n)
        Output.line(table.text)
        guard let record = arguments.record else { return }
        guard let own = counts[.daybook], !own.isEmpty else {
            throw BenchmarkError("--check and --record need operations of the peer daybook")
        }
        switch record {
        case .check(let path): try CounterRecord(readingFrom: path).check(own, n: n)
        case .write(let path): try CounterRecord(own, n: n).write(to: path)
        }
    }

    /// Counts one operation in a process of its own. Returns nil for operations that were not
    /// requested, and only fill the database.
    private func count(_ operation: Operation, _ peer: PeerName) throws -> Counters? {
        let isRequested = arguments.operations.contains(operation)
        guard isRequested || arguments.operations.contains(where: operation.isBase(of:)) else {
            return nil
        }
        let directory = try scratch.prepare(operation, peer, n)
        defer { scratch.release(operation, peer, n) }
        guard isRequested else {
            _ = try ChildProcess.measure(operation, peer, n, directory, arguments.storeWords)
            return nil
        }
        Output.note("\(operation.rawValue), \(peer.rawValue)")
        let folder = NSTemporaryDirectory() + "/daybook-callgrind-\(getpid())"
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: folder) }
        let line = try ChildProcess.count(
            operation, peer, n, directory, arguments.storeWords, into: folder)
        // `part.3-01` is the third measured part of the first thread; `part-01` is the rest.
        let files = try manager.contentsOfDirectory(atPath: folder)
            .filter { $0.hasPrefix("part.") && $0.hasSuffix("-01") }
        let texts = try files.map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
        return try Counters(callgrindOutputs: texts, operationCount: line.ops)
    }
}

extension Operation {
    /// The operations that `counters` counts: those without waiting, and without other threads. The
    /// first of each kind fills the database for the others.
    static let counted: [Operation] = [
        .putBulk, .putSingleRelaxed, .updateBulk, .removeBulk, .getRandom, .scanAll, .openWarm,
        .relateBulk, .traverse, .indexBulk, .queryEqual, .queryRange,
    ]
}
