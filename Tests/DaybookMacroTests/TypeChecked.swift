#if Macros
import Foundation
import Testing

/// Source text that imports Daybook, and what the compiler says about it.
struct TypeChecked {
    /// Each as `line:column severity: message`, in the order of the compiler's.
    let problems: [String]

    /// Runs the compiler that is found first on the modules beside the test bundle.
    init(_ source: String, arguments: [String] = []) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("daybook-type-check-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Source.swift")
        try Data(source.utf8).write(to: file)
        let products = try #require(Self.products, "the modules are not beside the tests")
        let moduleMap = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/CZstd/module.modulemap").standardizedFileURL

        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-module-name", "Source",
                "-diagnostic-style", "llvm", "-module-cache-path", folder.path,
                "-I", products.appendingPathComponent("Modules").path,
                "-Xcc", "-fmodule-map-file=\(moduleMap.path)", "-load-plugin-executable",
                products.appendingPathComponent("DaybookMacros-tool").path + "#DaybookMacros",
            ] + arguments + [file.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = output
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        problems = text.split(separator: "\n").compactMap { line in
            guard line.hasPrefix(file.path + ":") else { return nil }
            let parts = line.dropFirst(file.path.count + 1).split(separator: " ", maxSplits: 1)
            guard parts.count == 2, !parts[1].hasPrefix("note:") else { return nil }
            return "\(parts[0].dropLast()) \(parts[1])"
        }
        // What went wrong without a line of the source would look as if all were well.
        let isExpected =
            process.terminationStatus == 0 || problems.contains { $0.contains("error") }
        try #require(isExpected, "the compiler said: \(text)")
    }

    /// The folder of what the build made.
    private static var products: URL? {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
            let module = folder.appendingPathComponent("Modules/Daybook.swiftmodule")
            if FileManager.default.fileExists(atPath: module.path) { return folder }
        }
        return nil
    }
}
#endif
