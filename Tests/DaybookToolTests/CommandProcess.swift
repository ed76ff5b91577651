import Foundation
import Testing

/// A run of the built `daybook`, as a script sees it: no terminal anywhere.
final class CommandProcess {
    /// What a finished run left.
    struct Outcome: Equatable {
        var status: Int32
        var output: String
        var errors: String

        /// The lines of the output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// Where what the command writes goes to.
    enum Stream {
        /// A pipe that the test reads.
        case pipe
        /// A pipe that nobody reads any more.
        case closedPipe
        case terminal(Terminal)
    }

    private let process = Process()
    let output = Pipe()
    private let errors = Pipe()
    private var terminal: Terminal?
    private var outputTerminal: Terminal?

    /// The program stands beside the test bundle.
    static var program: URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            let candidate = folder.appendingPathComponent("daybook")
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(
                atPath: candidate.path, isDirectory: &isFolder)
            if isThere, !isFolder.boolValue { return candidate }
        }
        return URL(fileURLWithPath: ".build/debug/daybook")
    }

    init(
        _ arguments: [String], environment: [String: String] = [:], directory: String? = nil,
        output outputStream: Stream = .pipe, errors errorStream: Stream = .pipe
    ) throws {
        process.executableURL = Self.program
        process.arguments = arguments
        var inherited = ProcessInfo.processInfo.environment
        inherited["NO_COLOR"] = nil
        process.environment = inherited.merging(environment) { $1 }
        if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        if case .closedPipe = outputStream { try output.fileHandleForReading.close() }
        if case .terminal(let terminal) = outputStream {
            process.standardOutput = terminal.device
            outputTerminal = terminal
        }
        if case .terminal(let terminal) = errorStream {
            process.standardError = terminal.device
            self.terminal = terminal
        }
        try process.run()
        terminal?.begin()
        outputTerminal?.begin()
    }

    /// Runs to the end.
    static func run(_ arguments: String...) throws -> Outcome {
        try CommandProcess(arguments).finish()
    }

    /// SIGINT, as from a keyboard.
    func interrupt() { process.interrupt() }

    func terminate() { process.terminate() }

    /// SIGKILL, which nobody can answer.
    func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }

    var isRunning: Bool { process.isRunning }

    /// Reads what is left to read and waits for the end.
    func finish() -> Outcome {
        let data =
            outputTerminal?.readToEnd() ?? output.fileHandleForReading.readDataToEndOfFile()
        let errorData =
            terminal?.readToEnd() ?? errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let status =
            process.terminationReason == .uncaughtSignal
            ? 128 + process.terminationStatus : process.terminationStatus
        return Outcome(
            status: status, output: String(decoding: data, as: UTF8.self),
            errors: String(decoding: errorData, as: UTF8.self))
    }
}

extension CommandProcess {
    /// Waits for the end of a process whose output nobody reads any more.
    func finishUnread() -> Outcome {
        let errorData = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: "",
            errors: String(decoding: errorData, as: UTF8.self))
    }
}
