#if Macros
import Foundation

@testable import DaybookGeneration

/// A document whose programs are compiled as printed.
struct Guide {
    /// The source of generated code: the macros, or the plugin's generator.
    enum Writer {
        case macros, generator
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    /// The path from the root of the repository.
    let path: String
    var writer = Writer.macros
    /// Declarations that the document assumes.
    var declarations = ""
    /// Values that the document assumes, as the parameters of a function.
    var values = ""
    /// The code before and after the fragments that do not belong into a function, by their
    /// positions.
    var surroundings: [Int: (before: String, behind: String)] = [:]

    /// The programs of the document, in order.
    var programs: [String] {
        get throws {
            let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
            return text.components(separatedBy: "```swift\n").dropFirst().map {
                $0.components(separatedBy: "\n```")[0]
            }
        }
    }

    /// All programs as one source.
    func source() throws -> String {
        var types = [declarations]
        var bodies: [String] = []
        for (place, program) in try programs.enumerated() {
            let parts = ProgramParts(program)
            if let around = surroundings[place] {
                bodies.append("\(around.before)\n\(parts.statements)\n\(around.behind)")
                continue
            }
            types.append(parts.types)
            let effects = parts.statements.contains("await") ? "async throws" : "throws"
            bodies.append("func part\(place)(\(values)) \(effects) {\n\(parts.statements)\n}")
        }
        let module = try programs.lazy.compactMap { program in
            program.firstMatch(of: /(?m)^import (Daybook\w*)/)
        }.first.map { String($0.output.1) }
        let imports = "import \(module ?? "Daybook")\nimport Foundation\n"
        let declared = types.joined(separator: "\n")
        switch writer {
        case .macros:
            return imports + declared + bodies.joined(separator: "\n")
        case .generator:
            let generation = Generation(
                module: "Source",
                files: [SourceText(path: "Models.swift", text: imports + declared)])
            let written = generation.text ?? generation.messages.joined(separator: "\n")
            return imports + declared + bodies.joined(separator: "\n") + "\n" + written
        }
    }
}

/// The types of a program, which get a file of their own, and its statements.
private struct ProgramParts {
    private(set) var types = ""
    private(set) var statements = ""

    init(_ program: String) {
        var isType = false
        for line in program.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("import ") { continue }
            let isStart = line.firstMatch(of: /^(@|final class |class |struct |enum )/) != nil
            if isStart { isType = true }
            if isType {
                types += line + "\n"
                if line.hasPrefix("}") || isStart && line.hasSuffix("}") { isType = false }
            } else {
                // Dots replace code that the reader adds.
                statements += line.replacing("…", with: "") + "\n"
            }
        }
    }
}
#endif
