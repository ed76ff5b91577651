import DaybookEngine
import Foundation
import Testing

/// Interrupted commands: they exit with 130 and leave the store unchanged.
@Suite(.serialized) struct InterruptionTests {
    private func wait(_ seconds: Double = 30, until isTrue: () throws -> Bool) rethrows -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        while Date() < end {
            if try isTrue() { return true }
            Thread.sleep(forTimeInterval: 0.001)
        }
        return false
    }

    @Test func `a replay with a blocked output ends when it is interrupted`() throws {
        let store = try SampleStore.large()
        let before = try store.files()
        let process = try CommandProcess(["replay", store.path])
        // The pipe is full after 64 KiB of 4 MB: the command is blocked in the middle of its work.
        let first = process.output.fileHandleForReading.readData(ofLength: 1)
        #expect(first == Data("{".utf8))
        process.interruptWhileBlocked()
        let outcome = process.finish()
        #expect(outcome.status == 130)
        #expect(
            outcome.errors == "daybook: Interrupted; the contents of the store are unchanged.\n")
        // The printed output remains: complete lines, with all events of the frames that were read.
        #expect(outcome.output.hasSuffix("}\n"))
        #expect(outcome.lines.count > 1)
        #expect(try store.files() == before)
    }

    @Test(arguments: [
        "Note", "Note order by id desc", "Note select text", "Note group by text, id",
    ])
    func `a query with a blocked output ends when it is interrupted`(_ text: String) throws {
        let store = try SampleStore.large()
        let before = try store.files()
        let process = try CommandProcess(["query", store.path, text])
        let first = process.output.fileHandleForReading.readData(ofLength: 1)
        #expect(first == Data("{".utf8))
        process.interruptWhileBlocked()
        let outcome = process.finish()
        #expect(outcome.status == 130)
        #expect(
            outcome.errors == "daybook: Interrupted; the contents of the store are unchanged.\n")
        #expect(outcome.output.hasSuffix("}\n"))
        // The command reads rows in pages of 32 or more, and ends within a page.
        #expect((2..<32).contains(outcome.lines.count))
        #expect(try store.files() == before)
    }

    @Test(arguments: ["latest", "all"])
    func `an interrupted compaction does not change the history`(_ history: String) throws {
        let store = try SampleStore.large()
        let whole = try CommandProcess.run("replay", store.path).output
        let stats = try lastingStats(store)
        let events = try CommandProcess.run("replay", store.path, "--stats").output
        let check = try CommandProcess.run("replay", store.path, "--check").output
        let segments = Set(try store.segments())
        let process = try CommandProcess(["compact", store.path, "--history", history])
        #expect(
            try wait { try !Set(store.segments()).isSubset(of: segments) || !process.isRunning })
        process.terminate()
        let outcome = process.finish()
        #expect(outcome.status == 130)
        #expect(
            outcome.errors == "daybook: Interrupted; the contents of the store are unchanged.\n")
        // (The comparison is outside of the macro, which would print both.)
        let isWhole = try CommandProcess.run("replay", store.path).output == whole
        #expect(isWhole)
        #expect(try lastingStats(store) == stats)
        #expect(try CommandProcess.run("replay", store.path, "--stats").output == events)
        #expect(try CommandProcess.run("replay", store.path, "--check").output == check)
        #expect(try CommandProcess.run("verify", store.path).status == 0)
        // The compaction can be repeated.
        let again = try CommandProcess.run("compact", store.path, "--history", history)
        #expect(again.status == 0)
        let counts = try CommandProcess.run("replay", store.path, "--stats").output
        #expect(counts.hasSuffix(events))
    }

    /// Returns the statistics of the history, without those of files, which may change: a segment
    /// may be sealed.
    private func lastingStats(_ store: SampleStore) throws -> [String: String] {
        let output = try CommandProcess.run("stats", store.path).output
        let object = try JSONSerialization.jsonObject(with: Data(output.utf8))
        let stats = try #require(object as? [String: Any])
        let names = ["store", "created", "format", "first", "last", "historyFloor", "entities"]
        var lasting: [String: String] = [:]
        for name in names {
            let value = try JSONSerialization.data(
                withJSONObject: [try #require(stats[name])], options: .sortedKeys)
            lasting[name] = String(decoding: value, as: UTF8.self)
        }
        return lasting
    }

    @Test func `an interrupted copy leaves no files`() throws {
        let store = try SampleStore.large()
        let before = try store.files()
        let copy = store.sibling("copy")
        let process = try CommandProcess(["replay", store.path, "--into", copy])
        #expect(
            wait {
                let names = try? FileManager.default.contentsOfDirectory(atPath: copy)
                return (names ?? []).filter { $0.hasPrefix("segment-") }.count > 1
                    || !process.isRunning
            })
        process.interrupt()
        let outcome = process.finish()
        #expect(outcome.status == 130)
        #expect(!FileManager.default.fileExists(atPath: copy))
        #expect(try store.files() == before)
        #expect(try CommandProcess.run("replay", store.path, "--into", copy).status == 0)
    }

    @Test func `a closed output ends the replay without an error`() throws {
        let store = try SampleStore.large(segments: 2)
        let process = try CommandProcess(["replay", store.path])
        _ = process.output.fileHandleForReading.readData(ofLength: 10)
        try process.output.fileHandleForReading.close()
        let outcome = process.finishUnread()
        #expect(outcome == CommandProcess.Outcome(status: 0, output: "", errors: ""))
    }
}
