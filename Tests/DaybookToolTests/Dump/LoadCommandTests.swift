import DaybookBytes
import DaybookEngine
import DaybookRecords
import Foundation
import Testing

/// `dump` and `load` as processes: closed pipes and interruptions.
@Suite struct LoadCommandTests {
    private func dump(_ store: SampleStore) throws -> Data {
        Data(try CommandProcess.run("dump", store.path).output.utf8)
    }

    /// Waits until a load has created its directory.
    private func wait(for path: String) -> Bool {
        let end = Date(timeIntervalSinceNow: 30)
        while Date() < end {
            if FileManager.default.fileExists(atPath: path + "/LOCK") { return true }
            Thread.sleep(forTimeInterval: 0.001)
        }
        return false
    }

    @Test func `an interrupted load leaves no files, whether it receives lines or waits`() throws {
        let store = try SampleStore()
        for index in 0..<50 { try store.put("Person \(index)") }
        try store.close()
        let text = try dump(store)
        for byteCount in [0, text.count / 2] {
            let (copy, input) = (store.sibling("deep/copy"), Pipe())
            let process = try CommandProcess(["load", copy], inputPipe: input)
            try input.fileHandleForWriting.write(contentsOf: text.prefix(byteCount))
            if byteCount > 0 {
                #expect(wait(for: copy))
            } else {
                Thread.sleep(forTimeInterval: 0.2)
            }
            process.interrupt()
            let outcome = process.finish()
            #expect(outcome.status == 130)
            #expect(outcome.output == "")
            #expect(!FileManager.default.fileExists(atPath: store.sibling("deep")))
        }
    }

    @Test func `a killed load leaves no directory that opens as a store`() throws {
        let store = try SampleStore()
        for index in 0..<50 { try store.put("Person \(index)") }
        try store.close()
        let text = try dump(store)
        let (copy, input) = (store.sibling("copy"), Pipe())
        let process = try CommandProcess(["load", copy], inputPipe: input)
        try input.fileHandleForWriting.write(contentsOf: text.prefix(text.count / 2))
        #expect(wait(for: copy))
        process.kill()
        #expect(process.finish().status == 128 + 9)
        #expect(throws: DaybookError.self) {
            try Engine.open(copy, RealFileSystem(), access: .read)
        }
    }

    @Test func `a load reads the output of a running dump`() throws {
        let store = try SampleStore.large(segments: 4)
        let (copy, between) = (store.sibling("copy"), Pipe())
        let load = try CommandProcess(["load", copy], inputPipe: between)
        let dump = try dump(store)
        try between.fileHandleForWriting.write(contentsOf: dump)
        try between.fileHandleForWriting.close()
        let outcome = load.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("\"objects\":64,"))
        // (The comparison is outside the macro, which would print both strings.)
        let isEqual = try CommandProcess.run("dump", copy).output.utf8.elementsEqual(dump)
        #expect(isEqual)
    }

    @Test func `a closed output ends a dump without an error`() throws {
        let store = try SampleStore.large(segments: 2)
        let process = try CommandProcess(["dump", store.path])
        _ = process.output.fileHandleForReading.readData(ofLength: 10)
        try process.output.fileHandleForReading.close()
        #expect(process.finishUnread() == .init(status: 0, output: "", errors: ""))
    }

    @Test func `a dump with a blocked output ends when it is interrupted`() throws {
        let store = try SampleStore.large(segments: 2)
        let before = try store.files()
        let process = try CommandProcess(["dump", store.path])
        _ = process.output.fileHandleForReading.readData(ofLength: 1)
        process.interruptWhileBlocked()
        let outcome = process.finish()
        #expect(outcome.status == 130)
        #expect(outcome.output.hasSuffix("}\n"))
        #expect(try store.files() == before)
    }

    @Test func `an invalid dump exits with 1 and prints the position to standard error`() throws {
        let store = try SampleStore()
        try store.put("Ada")
        try store.close()
        let text = String(decoding: try dump(store), as: UTF8.self)
        let bad = text.replacingOccurrences(of: "\"Ada\"", with: "Ada")
        let copy = store.sibling("copy")
        let outcome = try CommandProcess(["load", copy], input: Data(bad.utf8)).finish()
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(
            outcome.errors
                == "daybook: Line 5, column 48: a text is expected here. Nothing was loaded.\n")
        #expect(!FileManager.default.fileExists(atPath: copy))
        let newer = text.replacingOccurrences(of: "{\"dump\":1,", with: "{\"dump\":99,")
        #expect(try CommandProcess(["load", copy], input: Data(newer.utf8)).finish().status == 6)
        #expect(
            try CommandProcess(["load", store.path], input: Data(text.utf8)).finish().status == 1)
        #expect(try CommandProcess(["load", copy]).finish().errors.contains("the text is empty"))
    }
}
