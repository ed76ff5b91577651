import Foundation
import Testing

/// A process of the built `daybook`, without a terminal, as in a script.
final class CommandProcess {
    /// The result of a finished process.
    struct Outcome: Equatable {
        var status: Int32
        var output: String
        var errors: String

        /// The lines of the output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// The destination of the process's output.
    enum Stream {
        /// A pipe that the test reads.
        case pipe
        /// A pipe whose reading end is closed.
        case closedPipe
        case terminal(Terminal)
    }

    private let process = Process()
    let output = Pipe()
    private let errors = Pipe()
    private var terminal: Terminal?
    private var outputTerminal: Terminal?

    /// The program, next to the test bundle.
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
        input: Data? = nil, inputPipe: Pipe? = nil, output outputStream: Stream = .pipe,
        errors errorStream: Stream = .pipe
    ) throws {
        process.executableURL = Self.program
        process.arguments = arguments
        var inherited = ProcessInfo.processInfo.environment
        inherited["NO_COLOR"] = nil
        process.environment = inherited.merging(environment) { $1 }
        if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
        process.standardInput = FileHandle.nullDevice
        if let input { process.standardInput = try Self.file(of: input) }
        if let inputPipe { process.standardInput = inputPipe }
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

    /// Returns an unlinked file with the given bytes, which cannot fill up like a pipe.
    private static func file(of bytes: Data) throws -> FileHandle {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("daybook-input-\(UUID().uuidString)")
        try bytes.write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        return try FileHandle(forReadingFrom: path)
    }

    /// Runs the command to its end.
    static func run(_ arguments: String...) throws -> Outcome {
        try CommandProcess(arguments).finish()
    }

    /// Sends SIGINT.
    func interrupt() { process.interrupt() }

    func terminate() { process.terminate() }

    /// Sends SIGINT to a process that is blocked on its output. Returns after the process has
    /// handled the signal: reading the output before that could let the process continue its work.
    func interruptWhileBlocked() {
        process.interrupt()
        while process.isRunning, !isStill { Thread.sleep(forTimeInterval: 0.001) }
    }

    /// Whether no signal is pending and every thread sleeps. Checks twice, because a thread that
    /// wakes another one then sleeps.
    private var isStill: Bool {
        #if os(Linux)
        let folder = "/proc/\(process.processIdentifier)"
        return (0..<2).allSatisfy { _ in
            guard let status = try? String(contentsOfFile: folder + "/status", encoding: .utf8),
                let threads = try? FileManager.default.contentsOfDirectory(
                    atPath: folder + "/task")
            else { return false }
            let pending = status.split(separator: "\n").filter {
                $0.hasPrefix("SigPnd:") || $0.hasPrefix("ShdPnd:")
            }
            return pending.allSatisfy { $0.hasSuffix("\t0000000000000000") }
                && threads.allSatisfy { thread in
                    let path = folder + "/task/\(thread)/stat"
                    let stat = try? String(contentsOfFile: path, encoding: .utf8)
                    // After the name, which may contain parentheses itself.
                    return stat?.split(separator: ")").last?.hasPrefix(" S") == true
                }
        }
        #else
        Thread.sleep(forTimeInterval: 0.2)
        return true
        #endif
    }

    /// Sends SIGKILL.
    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }

    var isRunning: Bool { process.isRunning }

    /// Reads the remaining output and waits for the end.
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
    /// Waits for the end of a process whose output is not read any more.
    func finishUnread() -> Outcome {
        let errorData = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: "",
            errors: String(decoding: errorData, as: UTF8.self))
    }
}
