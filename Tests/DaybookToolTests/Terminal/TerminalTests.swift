import Foundation
import Testing

/// Messages and progress bars on a terminal, separate from the output.
@Suite struct TerminalTests {
    private let bar = "replay  "
    private let erase = "\r\u{1B}[K"

    /// Replays a store with standard error on a terminal, slowly enough to show a progress bar.
    private func replay(
        _ store: SampleStore, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> CommandProcess.Outcome {
        let process = try CommandProcess(
            ["replay", store.path] + arguments, environment: environment,
            errors: .terminal(try Terminal()))
        // The pipe holds only a part of the output: the command is blocked for longer than the
        // delay of the progress bar.
        let first = process.output.fileHandleForReading.readData(ofLength: 1)
        Thread.sleep(forTimeInterval: 0.15)
        var outcome = process.finish()
        outcome.output = String(decoding: first, as: UTF8.self) + outcome.output
        return outcome
    }

    private func expectLines(_ outcome: CommandProcess.Outcome) throws {
        #expect(outcome.status == 0)
        #expect(outcome.output.hasSuffix("\n"))
        for line in outcome.lines {
            _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
        }
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test func `a coloured progress bar is shown and erased`() throws {
        let outcome = try replay(try .large())
        try expectLines(outcome)
        #expect(outcome.errors.hasPrefix("\r" + bar + "\u{1B}[32m"))
        #expect(outcome.errors.hasSuffix(erase))
    }

    @Test(arguments: [(["--no-color"], [:]), ([], ["NO_COLOR": "1"])])
    func `a bar without colours contains no escape sequences for colours`(
        _ arguments: [String], _ environment: [String: String]
    ) throws {
        let outcome = try replay(try .large(), arguments, environment: environment)
        try expectLines(outcome)
        #expect(outcome.errors.hasPrefix("\r" + bar))
        #expect(outcome.errors.hasSuffix(erase))
        #expect(!outcome.errors.replacing(erase, with: "").contains("\u{1B}"))
    }

    @Test func `a long operation shows its rate and the time that is left`() throws {
        let store = try SampleStore.large()
        let process = try CommandProcess(
            ["replay", store.path, "--no-color"], errors: .terminal(try Terminal()))
        // The command is blocked twice: until its bar appears, and until it has an estimate.
        let output = process.output.fileHandleForReading
        var text = output.readData(ofLength: 1)
        Thread.sleep(forTimeInterval: 0.15)
        while text.count < 1 << 20 { text += output.readData(ofLength: 64 << 10) }
        Thread.sleep(forTimeInterval: 1.2)
        let outcome = process.finish()
        #expect(outcome.status == 0)
        let line = /replay  #+-+ +\d+ %  \d+\.\d [kM]B\/s  \d+ (s|min) left +/
        #expect(outcome.errors.contains(line), "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix(erase))
    }

    @Test(arguments: [["--no-color"], []])
    func `tables and errors have no colours, on a terminal too`(_ arguments: [String]) throws {
        let store = try LibraryStore.filled()
        let table = try CommandProcess(
            ["query", store.path, "Book select title, year", "--table", "--quiet"] + arguments,
            output: .terminal(try Terminal())
        ).finish()
        #expect(table.status == 0)
        #expect(table.output.contains("Engines"))
        #expect(!table.output.contains("\u{1B}"))
        for failing in [
            ["query", store.path, "Book where titel == 1"],
            ["query", store.path, "Book where \u{1B}[31m"],
            ["replay", store.path, "--entity", "Bo\u{1B}[31mok"],
            ["replay", store.path, "--fr\u{1B}[31mom"],
        ] {
            let failed = try CommandProcess(
                failing + arguments, errors: .terminal(try Terminal())
            ).finish()
            #expect(failed.status == 2)
            #expect(!failed.errors.isEmpty)
            #expect(!failed.errors.contains("\u{1B}"), "\(failed.errors.debugDescription)")
        }
    }

    @Test func `a quiet command shows nothing`() throws {
        let outcome = try replay(try .large(), ["--quiet"])
        try expectLines(outcome)
        #expect(outcome.errors == "")
    }

    @Test func `messages follow their output lines, and errors are always printed`() throws {
        let store = try SampleStore()
        try store.put("Ada")
        try store.close()
        let spoken = try CommandProcess(["verify", store.path], errors: .terminal(try Terminal()))
            .finish()
        try expectLines(spoken)
        #expect(spoken.errors == "The store is undamaged.\r\n")
        let failed = try CommandProcess(
            ["verify", "--quiet", store.sibling("none")], errors: .terminal(try Terminal())
        ).finish()
        #expect(failed.status == 1)
        #expect(failed.output == "")
        #expect(failed.errors.hasPrefix("daybook: There is no store at "))
    }

    @Test func `a table fits the width of the terminal`() throws {
        let store = try LibraryStore()
        try store.put([
            LibraryStore.Book(title: String(repeating: "字", count: 40), year: 1),
            LibraryStore.Book(title: "short", year: 1843),
        ])
        try store.close()
        func table(_ columnCount: UInt16) throws -> [String] {
            let outcome = try CommandProcess(
                ["query", store.path, "Book select title, year, bought", "--table", "--quiet"],
                output: .terminal(try Terminal(columnCount: columnCount))
            ).finish()
            #expect(outcome.status == 0)
            return outcome.output.split(separator: "\r\n").map(String.init)
        }
        let wide = String(repeating: "字", count: 40)
        #expect(
            try table(200)
                == [
                    "title" + String(repeating: " ", count: 75) + "  year  bought",
                    String(repeating: "-", count: 80) + "  ----  ------------------------",
                    wide + "     1  1970-01-01T00:00:00.000Z",
                    "short" + String(repeating: " ", count: 75)
                        + "  1843  1970-01-01T00:00:00.000Z",
                ])
        let cut = String(repeating: "字", count: 15) + "…"
        #expect(
            try table(48)
                == [
                    "title" + String(repeating: " ", count: 27) + "  year  bought",
                    String(repeating: "-", count: 32) + "  ----  -------…",
                    cut + "      1  1970-01…",
                    "short" + String(repeating: " ", count: 27) + "  1843  1970-01…",
                ])
    }
}
