import Foundation
import Testing

/// What a person sees who watches, and that the output is none of it.
@Suite struct TerminalTests {
    private let bar = "replay  "
    private let erase = "\r\u{1B}[K"

    /// Replays a store with a terminal for words, slowly enough for a bar.
    private func replay(
        _ store: SampleStore, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> CommandProcess.Outcome {
        let process = try CommandProcess(
            ["replay", store.path] + arguments, environment: environment,
            errors: .terminal(try Terminal()))
        // The pipe holds a part of the output: the command waits while more time goes by than a bar
        // needs to be worth showing.
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

    @Test func `a bar in colours is shown and taken away again`() throws {
        let outcome = try replay(try .large())
        try expectLines(outcome)
        #expect(outcome.errors.hasPrefix("\r" + bar + "\u{1B}[32m"))
        #expect(outcome.errors.hasSuffix(erase))
    }

    @Test(arguments: [(["--no-color"], [:]), ([], ["NO_COLOR": "1"])])
    func `without colours the bar is plain`(
        _ arguments: [String], _ environment: [String: String]
    ) throws {
        let outcome = try replay(try .large(), arguments, environment: environment)
        try expectLines(outcome)
        #expect(outcome.errors.hasPrefix("\r" + bar))
        #expect(outcome.errors.hasSuffix(erase))
        #expect(!outcome.errors.replacing(erase, with: "").contains("\u{1B}"))
    }

    @Test func `a quiet command shows nothing`() throws {
        let outcome = try replay(try .large(), ["--quiet"])
        try expectLines(outcome)
        #expect(outcome.errors == "")
    }

    @Test func `words come after the lines that they are about, and errors always`() throws {
        let store = try SampleStore()
        try store.put("Ada")
        try store.close()
        let spoken = try CommandProcess(["verify", store.path], errors: .terminal(try Terminal()))
            .finish()
        try expectLines(spoken)
        #expect(spoken.errors == "The store is sound.\r\n")
        let failed = try CommandProcess(
            ["verify", "--quiet", store.sibling("none")], errors: .terminal(try Terminal())
        ).finish()
        #expect(failed.status == 1)
        #expect(failed.output == "")
        #expect(failed.errors.hasPrefix("daybook: There is no store at "))
    }
}
