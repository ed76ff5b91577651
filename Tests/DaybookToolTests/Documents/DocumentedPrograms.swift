import Foundation

/// Checks command lines without running them: the programs, the subcommands and the options exist.
struct DocumentedPrograms {
    /// The options of each subcommand of `daybook`, with their hyphens.
    private let options: [String: Set<String>]

    /// The options of all subcommands.
    var allOptions: Set<String> { options.values.reduce(into: []) { $0.formUnion($1) } }

    init() throws {
        let dump = try CommandProcess.run("--experimental-dump-help").output
        let object = try JSONSerialization.jsonObject(with: Data(dump.utf8))
        let root = (object as? [String: Any])?["command"] as? [String: Any]
        var options: [String: Set<String>] = [:]
        for command in root?["subcommands"] as? [[String: Any]] ?? [] {
            let arguments = command["arguments"] as? [[String: Any]] ?? []
            let names = arguments.flatMap { $0["names"] as? [[String: String]] ?? [] }
            options[command["commandName"] as? String ?? ""] = Set(
                names.map { ($0["kind"] == "short" ? "-" : "--") + ($0["name"] ?? "") })
        }
        self.options = options
    }

    /// The packages of the programs that `daybook` runs, with the folders of their sources.
    private static let separate = [
        "daybook-archive": ["Replication/Tools/archive", "Replication/Tools/support"],
        "daybook-replicate": ["Replication/Tools/replicate", "Replication/Tools/support"],
        "daybook-browse": ["Browser/Sources/DaybookBrowse"],
    ]

    /// Returns the program of its own that a line runs, if it does.
    static func separateProgram(of line: DocumentedLine) -> String? {
        let words = line.words
        let name = words[0].split(separator: "/").last.map(String.init) ?? ""
        if separate[name] != nil { return name }
        guard name == "daybook", words.count > 1 else { return nil }
        return separate["daybook-" + words[1]] == nil ? nil : "daybook-" + words[1]
    }

    /// Returns the reason why a line cannot run; nil if its program, its subcommand and its options
    /// exist.
    func problem(of line: DocumentedLine) throws -> String? {
        if let program = Self.separateProgram(of: line) {
            return try Self.problem(of: line, in: program)
        }
        switch line.program {
        case "daybook": return problem(ofDaybook: line)
        case "swift": return try Self.problem(ofSwift: line)
        case "install": return nil
        case let path where path.contains("Tools/"): return try Self.problem(ofScript: line)
        default: return "there is no program \(line.program)"
        }
    }

    private func problem(ofDaybook line: DocumentedLine) -> String? {
        guard let name = line.words.dropFirst().first else { return nil }
        // A test runs these lines.
        if name.hasPrefix("-") || name == "COMMAND" { return nil }
        guard let known = options[name] else { return "daybook has no command \(name)" }
        return line.options.first { !known.contains($0) }.map { "\(name) has no option \($0)" }
    }

    // MARK: Programs of other packages

    /// Looks for the declarations of the subcommand and of the options.
    private static func problem(of line: DocumentedLine, in program: String) throws -> String? {
        let source = try separate[program, default: []].map(source).joined()
        let rest = line.words.dropFirst(line.program == "daybook" ? 2 : 1)
        if program != "daybook-browse", let name = rest.first, !name.hasPrefix("-"),
            !source.contains("commandName: \"\(name)\"")
        {
            return "\(program) has no command \(name)"
        }
        let missing = line.options.first { option in
            option != "--help" && !declares(source, option: String(option.dropFirst(2)))
        }
        return missing.map { "\(program) has no option \($0)" }
    }

    private static func declares(_ source: String, option: String) -> Bool {
        let parts = option.split(separator: "-")
        let property =
            parts.prefix(1) + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return source.contains(".customLong(\"\(option)\")")
            || source.components(separatedBy: "@").contains { declaration in
                (declaration.hasPrefix("Option") || declaration.hasPrefix("Flag"))
                    && declaration.range(
                        of: "var \(property.joined())\\b", options: .regularExpression) != nil
            }
    }

    /// Returns the text of the Swift files in a folder.
    private static func source(_ folder: String) throws -> String {
        let url = DocumentedLine.root.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(atPath: url.path)
            .filter { $0.hasSuffix(".swift") }.sorted()
            .map { try DocumentedLine.text(folder + "/" + $0) }.joined()
    }

    // MARK: Scripts and packages

    /// The files that read the options of a script, if the script does not.
    private static let readers = [
        "Tools/benchmarks/run": [
            "Tools/benchmarks/run", "Tools/benchmarks/Sources/Benchmark/Arguments.swift",
            "Tools/benchmarks/Sources/Benchmark/Benchmark.swift",
        ]
    ]

    private static func problem(ofScript line: DocumentedLine) throws -> String? {
        let folder = URL(filePath: line.document).deletingLastPathComponent().relativePath
        // A README names the scripts of its own package.
        let own = folder == "." ? [] : [folder + "/" + line.program]
        let candidates = own + [line.program]
        let manager = FileManager.default
        func path(_ name: String) -> String { DocumentedLine.root.appending(path: name).path }
        guard let script = candidates.first(where: { manager.fileExists(atPath: path($0)) }) else {
            return "there is no file \(line.program)"
        }
        guard line.words.count > 1 else { return nil }
        guard manager.isExecutableFile(atPath: path(script)) else { return "no program" }
        let text = try readers[script, default: [script]].map(DocumentedLine.text).joined()
        if let option = line.options.first(where: { !text.contains($0) }) {
            return "\(script) has no option \(option)"
        }
        let first = line.words[1]
        if script == "Tools/benchmarks/run", !first.hasPrefix("-"),
            !text.contains("case \"\(first)\":")
        {
            return "\(script) has no measurement \(first)"
        }
        return nil
    }

    private static let swiftOptions: Set = [
        "-c", "--package-path", "--product", "--build-tests", "--filter", "--help",
    ]

    /// Checks the package and the product. SwiftPM itself would build them.
    private static func problem(ofSwift line: DocumentedLine) throws -> String? {
        let words = line.words
        let action = words.dropFirst().first ?? ""
        guard ["build", "run", "test"].contains(action) else { return "swift has no \(action)" }
        // After the product, the options are those of the program.
        func value(after option: String) -> String? {
            words.firstIndex(of: option).flatMap { words.dropFirst($0 + 1).first }
        }
        let folder = URL(filePath: line.document).deletingLastPathComponent().relativePath
        let isPackage = FileManager.default.fileExists(
            atPath: DocumentedLine.root.appending(path: folder + "/Package.swift").path)
        let package = value(after: "--package-path") ?? (isPackage ? folder : ".")
        guard let manifest = try? DocumentedLine.text(package + "/Package.swift") else {
            return "there is no package \(package)"
        }
        var product = value(after: "--product")
        if action == "run" {
            let values = ["-c", "--package-path"].compactMap(value)
            product = words.dropFirst(2).first { !$0.hasPrefix("-") && !values.contains($0) }
        }
        if let product, !manifest.contains("name: \"\(product)\"") {
            return "\(package) has no product \(product)"
        }
        let own = words.prefix { $0 != product || action == "build" }
        return own.first { $0.hasPrefix("-") && !swiftOptions.contains($0) }
            .map { "swift \(action) has no option \($0)" }
    }
}
