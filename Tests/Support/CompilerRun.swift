public import Foundation

/// A run of the first Swift compiler in the path, with the modules that the tests were built with.
public struct CompilerRun {
    /// The output of the compiler.
    public let text: String
    public let isSuccess: Bool

    /// - Parameter folder: the working directory, which also contains the module cache.
    public init(_ arguments: [String], in folder: URL) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = folder
        process.arguments =
            ["swiftc", "-swift-version", "6", "-module-cache-path", folder.path] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = output
        try process.run()
        text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        isSuccess = process.terminationStatus == 0
    }

    /// Returns the arguments for compiling a source that imports Daybook.
    public static func arguments(products: URL) -> [String] {
        let moduleMap = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/CZstd/module.modulemap").standardizedFileURL
        return [
            "-I", products.appendingPathComponent("Modules").path,
            "-Xcc", "-fmodule-map-file=\(moduleMap.path)",
        ]
    }

    /// The folder of the build products; nil if the modules are not beside the tests.
    public static var products: URL? {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            let module = folder.appendingPathComponent("Modules/Daybook.swiftmodule")
            if FileManager.default.fileExists(atPath: module.path) { return folder }
        }
        return nil
    }
}
