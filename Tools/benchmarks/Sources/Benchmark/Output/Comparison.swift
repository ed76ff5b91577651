import Foundation

/// Runs every operation on every peer, interleaved and repeated, and prints the results.
struct Comparison {
    private let arguments: Arguments
    private let scratch: ScratchDirectories
    private(set) var lines: [ResultLine] = []

    init(_ arguments: Arguments) throws {
        guard arguments.results == nil || arguments.sizes.count == 1 else {
            throw BenchmarkError("--json needs a single size after --n")
        }
        self.arguments = arguments
        scratch = try ScratchDirectories(arguments.directory)
    }

    /// Prints JSON lines immediately, then one table per size, and writes the file of results.
    /// Throws if a measurement failed or if the checksums of two peers differ.
    mutating func run() throws {
        defer { if !arguments.keepsDatabases { scratch.removeAll() } }
        for n in arguments.sizes {
            for repetition in 0..<arguments.repetitions {
                for operation in Operation.allCases where operation != .diskLog {
                    try run(operation, n, repetition)
                }
            }
            let results = RunResults(lines, n: n, repetitions: arguments.repetitions)
            Output.line(ComparisonTable(results).text)
            if let path = arguments.results { try results.write(to: path) }
            if !arguments.keepsDatabases { scratch.removeAll() }
        }
    }

    private mutating func run(_ operation: Operation, _ n: Int, _ repetition: Int) throws {
        // The filled databases are created first, even if the user did not request these
        // operations.
        let isFirst = [.putBulk, .relateBulk, .indexBulk].contains(operation)
        let isNeeded =
            isFirst && repetition == 0 && arguments.operations.contains { operation.isBase(of: $0) }
        guard isNeeded || arguments.operations.contains(operation) else { return }
        // Rotates the order, so that no peer always runs directly after the same other peer.
        let turn = repetition % arguments.peers.count
        let peers = arguments.peers[turn...] + arguments.peers[..<turn]
        for peer in peers where peer.runs(operation) { try run(operation, peer, n, repetition) }
    }

    private mutating func run(
        _ operation: Operation, _ peer: PeerName, _ n: Int, _ repetition: Int
    ) throws {
        let directory = try scratch.prepare(operation, peer, n)
        if operation == .openCold, !MachineState.dropCaches() {
            return Output.note("open_cold is left out: dropping the caches needs root")
        }
        MachineState.flush()
        if operation == .disk { try compact(peer, directory) }
        let line = try ChildProcess.measure(
            operation, peer, n, directory, arguments.storeWords)
        try note(line, of: peer)
        // Not in a copy: the first one fills the directory.
        let fills = operation.base == .empty || operation.base == .emptyIndexed
        if arguments.compactsFilled, fills, !directory.hasSuffix("-copy") {
            try compact(peer, directory)
        }
        if operation == .disk {
            var line = ResultLine(peer: peer.rawValue, .diskLog, n: n, ops: 1)
            line.disk_mb = DiskUsage.mebibytes(
                of: directory, filesNamed: peer == .daybook ? "segment-" : "")
            try note(line, of: peer)
        }
        scratch.release(operation, peer, n)
    }

    private func compact(_ peer: PeerName, _ directory: String) throws {
        guard peer == .daybook, try !CompactCommand.run(directory) else { return }
        Output.note(
            "no command 'daybook' was built, so the store is only closed, not compacted")
    }

    private mutating func note(_ line: ResultLine, of peer: PeerName) throws {
        let other = lines.first {
            $0.op == line.op && $0.n == line.n && PeerName(rawValue: $0.peer)?.isProbe == false
        }
        if !peer.isProbe, let other, other.check != line.check {
            throw BenchmarkError(
                "\(line.peer) and \(other.peer) disagree on \(line.op):"
                    + " \(line.check), \(other.check)"
            )
        }
        lines.append(line)
        Output.line(line.json)
        if let output = arguments.output { try append(line.json + "\n", to: output) }
    }

    private func append(_ text: String, to path: String) throws {
        if !FileManager.default.fileExists(atPath: path) {
            guard FileManager.default.createFile(atPath: path, contents: nil) else {
                throw BenchmarkError("cannot write \(path)")
            }
        }
        guard let file = FileHandle(forWritingAtPath: path) else {
            throw BenchmarkError("cannot write \(path)")
        }
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }
}
