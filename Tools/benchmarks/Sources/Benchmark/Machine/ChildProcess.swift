import Foundation

/// Runs other programs, and this program as a child process.
enum ChildProcess {
    /// Measures one operation in its own process.
    static func measure(
        _ operation: Operation, _ peer: PeerName, _ n: Int, _ directory: String,
        _ storeWords: [String]
    ) throws -> ResultLine {
        let output = try run(
            CommandLine.arguments[0],
            [
                "measure", "--peers", peer.rawValue, "--ops", operation.rawValue, "--n", "\(n)",
                "--dir", directory,
            ] + storeWords)
        return try JSONDecoder().decode(ResultLine.self, from: output)
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
