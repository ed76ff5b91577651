import Foundation

/// A command line in a document: a line of a block, or code in a sentence.
struct DocumentedLine {
    /// The path of the document from the root of the package.
    var document: String
    /// The line without its comment, and without assignments of variables before the program.
    var text: String
    /// Whether the line is in a block of a shell, in which each line is one of a program.
    var isOfShell = false

    /// The words outside of quotation marks, without brackets.
    var words: [String] {
        Self.unquoted(text).split { " []".contains($0) }.map(String.init)
    }

    var program: String { words.first ?? "" }

    /// The options: `--name` without a value, and single letters.
    var options: [String] {
        words.filter { $0.hasPrefix("-") && $0 != "-" }
            .map { String($0.split(separator: "=", maxSplits: 1)[0]) }
    }

    /// The parts in brackets, which a user may leave out.
    var optionalParts: [String] {
        text.split(separator: "[").dropFirst().compactMap {
            $0.split(separator: "]", omittingEmptySubsequences: false).first.map(String.init)
        }
    }

    /// The line without the parts in brackets.
    var withoutOptionalParts: String {
        let parts = text.split(separator: "[", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { line, part in
            line + part.drop { $0 != "]" }.dropFirst()
        }
    }
}

extension DocumentedLine {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The documents that a user of the programs reads.
    static let documents: [String] = {
        let catalog = "Sources/Daybook/Daybook.docc/"
        let guides = FileManager.default.subpaths(atPath: root.appending(path: catalog).path) ?? []
        return ["README.md", "Browser/README.md", "Replication/README.md"]
            + ["Tools/benchmarks/README.md", "Samples/README.md"]
            + guides.filter { $0.hasSuffix(".md") }.sorted().map { catalog + $0 }
    }()

    /// Whether a text begins with the name of a program of this project, or of SwiftPM.
    static func isCommand(_ text: String) -> Bool {
        let program = text.prefix { $0 != " " }
        return ["daybook", "swift", "install"].contains(program) && text != program
            || program.hasPrefix("daybook-") && !program.hasSuffix("-")
            || program.contains("Tools/") || program.contains(".build/release/")
    }

    /// Returns the command lines of a document in their order.
    static func lines(in document: String) throws -> [DocumentedLine] {
        lines(in: try text(document), document: document)
    }

    static func lines(in text: String, document: String) -> [DocumentedLine] {
        var found: [DocumentedLine] = []
        var prose = ""
        var language: Substring?
        func endProse() {
            found += sentenceCode(in: prose).filter(isCommand).map { .init(document, $0) }
            prose = ""
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                endProse()
                language = language == nil ? line.dropFirst(3) : nil
            } else if let language {
                let command = DocumentedLine(document, String(line), isOfShell: language == "sh")
                let isText = language.isEmpty || language == "text"
                if command.isOfShell && !command.text.isEmpty || isText && isCommand(command.text) {
                    found.append(command)
                }
            } else if line.hasPrefix("    ") {
                endProse()
                let command = DocumentedLine(document, String(line.dropFirst(4)))
                if isCommand(command.text) { found.append(command) }
            } else {
                prose += line + "\n"
            }
        }
        endProse()
        return found
    }

    init(_ document: String, _ line: String, isOfShell: Bool = false) {
        var words = Self.uncommented(line).split(separator: " ", omittingEmptySubsequences: false)
        words = Array(words.drop { $0.contains("=") && !$0.hasPrefix("-") })
        self.init(
            document: document,
            text: words.joined(separator: " ").trimmingCharacters(in: .whitespaces),
            isOfShell: isOfShell)
    }

    /// Returns the code in sentences and in cells of tables. It may continue on the next line.
    static func sentenceCode(in prose: String) -> [String] {
        prose.components(separatedBy: "\n\n").flatMap { paragraph in
            let parts = paragraph.replacing("``", with: "").split(
                separator: "`", omittingEmptySubsequences: false)
            return parts.indices.filter { $0 % 2 == 1 }.map { index in
                parts[index].split(whereSeparator: \.isNewline)
                    .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
            }
        }
    }

    /// Returns a line up to its comment.
    private static func uncommented(_ line: String) -> String {
        line.range(of: " # ").map { String(line[..<$0.lowerBound]) } ?? line
    }

    /// Returns a line without its strings in single quotation marks.
    private static func unquoted(_ line: String) -> String {
        let parts = line.split(separator: "'", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 0 }.map { String(parts[$0]) }
            .joined(separator: "''")
    }
}
