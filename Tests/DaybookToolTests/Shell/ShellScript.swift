import Foundation

/// Runs scripts with the built `daybook` on PATH, and finds shells.
enum ShellScript {
    /// Runs a shell with the arguments to its end.
    static func run(
        _ shell: String = "sh", _ arguments: [String], directory: String
    ) throws -> CommandProcess.Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [shell] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: directory)
        var environment = ProcessInfo.processInfo.environment
        let programs = CommandProcess.program.deletingLastPathComponent().path
        environment["PATH"] = programs + ":" + (environment["PATH"] ?? "")
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let problems = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return CommandProcess.Outcome(
            status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: problems, as: UTF8.self))
    }

    /// Whether PATH has a program of this name.
    static func isInstalled(_ program: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: $0 + "/" + program)
        }
    }
}

/// A temporary folder for programs and files, which is removed with this object.
final class ScratchFolder {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("daybook-shell-\(UUID().uuidString)").resolvingSymlinksInPath()
            .path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file with permissions, and creates its folder. Returns the path of the file.
    @discardableResult
    func add(_ name: String, _ text: String, permissions: Int = 0o644) throws -> String {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes(
            [.posixPermissions: permissions], ofItemAtPath: url.path)
        return url.path
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// The bytes of every file in the folder and below.
    var contents: [String: Data] {
        get throws {
            let names = try FileManager.default.subpathsOfDirectory(atPath: path)
            return Dictionary(
                uniqueKeysWithValues: names.map { name in
                    (name, FileManager.default.contents(atPath: path + "/" + name) ?? Data())
                })
        }
    }
}
