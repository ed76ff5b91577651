import Foundation
import Testing

/// The command lines in the documents.
@Suite struct DocumentedLineTests {
    /// Code that only looks like a line, with the reason. The lines of programs that need a network
    /// or serve a page do not run either, but their options are checked.
    private static let exceptions = [
        "daybook NAME": "a placeholder for the name of a separate program",
        "daybook-NAME": "a placeholder for the name of a separate program",
        "daybook manifest-0000000007 9f2c41d07b3a6e58⏎": "the content of a file",
    ]
    /// Options with which a command runs until a signal.
    private static let endless: Set = ["-f", "--follow"]

    /// Words that name a store, in lines that do not only mention a command.
    private static let stores: Set = [
        "Store", "people", "DIRECTORY", "DIR", "NEWDIRECTORY", "BACKUP", "COMMAND",
    ]

    /// Whether a test runs the line: it is one of `daybook` itself, with all of its operands.
    private static func isRun(_ line: DocumentedLine) -> Bool {
        let isMention = line.words.allSatisfy { !stores.contains($0) }
        let isOfShell = line.text.contains(">") || line.program == "install"
        return ["daybook", "install"].contains(line.program) && (!isMention || isOfShell)
            && DocumentedPrograms.separateProgram(of: line) == nil
            && exceptions[line.text] == nil
    }

    private static let documents = DocumentedLine.documents.filter { document in
        (try? DocumentedLine.lines(in: document).isEmpty) == false
    }

    @Test func `the documents have command lines, and the exceptions are among them`() throws {
        let lines = try DocumentedLine.documents.flatMap(DocumentedLine.lines(in:))
        #expect(lines.count > 100)
        #expect(lines.filter(Self.isRun).count > 30)
        let texts = Set(lines.map(\.text))
        #expect(Self.exceptions.keys.filter { !texts.contains($0) } == [])
    }

    @Test(arguments: documents)
    func `the programs and the options of each line exist`(document: String) throws {
        let programs = try DocumentedPrograms()
        for line in try DocumentedLine.lines(in: document) {
            if Self.exceptions[line.text] != nil { continue }
            let problem = try programs.problem(of: line)
            #expect(problem == nil, "\(document): \(line.text)")
        }
    }

    @Test(arguments: documents)
    func `each line runs, after the lines before it`(document: String) throws {
        let lines = try DocumentedLine.lines(in: document).filter(Self.isRun)
        guard !lines.isEmpty else { return }
        let world = try DocumentWorld()
        for line in lines where line.optionalParts.isEmpty {
            try expectSuccess(line.text, in: world, document)
        }
        // Other choices have other effects.
        for line in lines where !line.optionalParts.isEmpty {
            let short = line.withoutOptionalParts
            try expectSuccess(short, in: try DocumentWorld(), document)
            for part in line.optionalParts where !Self.endless.contains(part) {
                try expectSuccess(short + " " + part, in: try DocumentWorld(), document)
            }
        }
    }

    private func expectSuccess(
        _ line: String, in world: DocumentWorld, _ document: String
    ) throws {
        let outcome = try world.run(line)
        #expect(outcome.status == 0, "\(document): \(line): \(outcome.errors)")
        #expect(outcome.errors == "", "\(document): \(line)")
    }

    @Test func `the options in the sentences of the guide to the command exist`() throws {
        let guide = try DocumentedLine.text("Sources/Daybook/Daybook.docc/Guides/Command.md")
        let code = DocumentedLine.sentenceCode(in: guide).filter { $0.hasPrefix("-") }
        #expect(code.count > 40)
        let known = try DocumentedPrograms().allOptions
        let named = code.flatMap { DocumentedLine("", $0).options }
        #expect(named.filter { !known.contains($0) } == [])
    }

    @Test(arguments: [
        "daybook verfy DIRECTORY", "daybook verify DIRECTORY --fast",
        "daybook tail DIRECTORY [-k]", "daybook archive pusch DIRECTORY s3://bucket",
        "daybook-archive push DIRECTORY s3://bucket --intervall 10", "daybook browse Store --opn",
        "daybook-other DIRECTORY", "Tools/dokcs", "Tools/docs --serv-all",
        "Tools/benchmarks/run cuonters", "Tools/benchmarks/run --reps-all 3", "swift bild",
        "swift build --produkt daybook", "swift build --product daybok",
        "swift build --package-path Browsr --product daybook-browse",
        "swift run --package-path Replication daybook-replicat --help", "make all",
    ])
    func `a wrong word is found without running the line`(text: String) throws {
        let line = DocumentedLine("README.md", text)
        #expect(try DocumentedPrograms().problem(of: line) != nil)
    }

    @Test func `an option with a wrong value, and an unknown placeholder, are found by a run`()
        throws
    {
        let world = try DocumentWorld()
        #expect(try world.run("daybook compact DIRECTORY --history newest").status == 2)
        #expect(try world.run("daybook query Store 'Persn'").status == 2)
        #expect(throws: DocumentWorld.UnknownPlaceholder.self) {
            try world.run("daybook verify DIRECTROY")
        }
    }

    @Test func `lines come from blocks, sentences and tables, without comments`() {
        let text = """
            Call `daybook verify
            DIRECTORY`, or `Tools/docs`; `notes.put(_:)` and ``Store`` are no commands.

                DAYBOOK_CASES=1 swift test --filter A   # some cases
                let daybook = 1

            ```
            daybook tail DIRECTORY [-n N] [-f]      # the last ones
            a diagram
            ```

            ```swift
            daybook.swift { `daybook stats DIRECTORY` }
            ```

            ```sh
            make all
            ```

            | `daybook stats DIRECTORY` | `daybook` |
            """
        let lines = DocumentedLine.lines(in: text, document: "A.md")
        #expect(
            lines.map(\.text) == [
                "daybook verify DIRECTORY", "Tools/docs", "swift test --filter A",
                "daybook tail DIRECTORY [-n N] [-f]", "make all", "daybook stats DIRECTORY",
            ])
        #expect(lines.map(\.isOfShell) == [false, false, false, false, true, false])
        #expect(lines[3].optionalParts == ["-n N", "-f"])
        #expect(lines[3].options == ["-n", "-f"])
        #expect(lines[3].withoutOptionalParts == "daybook tail DIRECTORY  ")
    }
}
