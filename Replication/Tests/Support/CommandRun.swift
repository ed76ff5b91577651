package import Foundation

/// A run of a command of this package, which is beside the program of the tests.
package final class CommandRun {
    package let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    /// The result of a run.
    package struct Result {
        package var code: Int32
        package var output: String
        package var errors: String
    }

    /// Starts a command, with the environment of the tests or another one.
    package init(
        _ name: String, _ arguments: [String], environment: [String: String]? = nil
    ) throws {
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appendingPathComponent(name)
        process.arguments = arguments
        if let environment { process.environment = environment }
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
    }

    /// Waits for the end. Returns the exit code and the texts.
    package func end() -> Result {
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let message = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Result(code: process.terminationStatus, output: text, errors: message)
    }
}
