import Foundation

/// Runs other programs, and this program as a child process.
enum ChildProcess {
    /// Measures one operation in its own process.
    static func measure(
        _ operation: Operation, _ peer: PeerName, _ n: Int, _ directory: String,
        _ storeWords: [String]
    ) throws -> ResultLine {
        let words = measurement(operation, peer, n, directory)
        let output = try run(CommandLine.arguments[0], words + storeWords)
        return try JSONDecoder().decode(ResultLine.self, from: output)
    }

    /// Counts the work of one operation by callgrind, which writes a file for each measured part
    /// and thread to a folder.
    static func count(
        _ operation: Operation, _ peer: PeerName, _ n: Int, _ directory: String,
        _ storeWords: [String], into folder: String
    ) throws -> ResultLine {
        let output = try run(
            "/usr/bin/env",
            [
                // The seed of hash tables, and so the order of their elements, is the same in all
                // runs.
                "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "-q", "--tool=callgrind",
                "--zero-before=\(CountedPart.functionName)",
                "--dump-after=\(CountedPart.functionName)", "--separate-threads=yes",
                "--collect-systime=usec", "--callgrind-out-file=\(folder)/part",
                CommandLine.arguments[0],
            ] + measurement(operation, peer, n, directory) + storeWords)
        return try JSONDecoder().decode(ResultLine.self, from: output)
    }

    /// The command line of a measurement.
    private static func measurement(
        _ operation: Operation, _ peer: PeerName, _ n: Int, _ directory: String
    ) -> [String] {
        [
            "measure", "--peers", peer.rawValue, "--ops", operation.rawValue, "--n", "\(n)",
            "--dir", directory,
        ]
    }

    /// Runs a program to its end and returns its output. Throws if its exit status is not 0.
    @discardableResult
    static func run(_ path: String, _ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError(
                "\(path) \(arguments.joined(separator: " ")) ended with"
                    + " \(process.terminationStatus)")
        }
        return output
    }
}
