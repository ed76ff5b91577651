import DaybookBytes
import Foundation
import Testing

@testable import DaybookCommand

/// The output and the exit status after errors.
@Suite struct OutputTests {
    /// Returns a store that opens from its snapshot and has damage in its log.
    private func damagedStore() throws -> SampleStore {
        let store = try SampleStore {
            $0.log.segmentSizeBytes = 4096
            $0.snapshotChangeCountMin = 0
        }
        for index in 0..<120 { try store.put("Person \(index) of a longer name") }
        try store.close()
        let url = URL(fileURLWithPath: store.path + "/" + (try store.segments())[1])
        var data = try Data(contentsOf: url)
        data[data.count / 2] ^= 0x10
        try data.write(to: url)
        return store
    }

    @Test func `output before an error is printed, in complete lines`() throws {
        let store = try damagedStore()
        let outcome = try CommandProcess.run("replay", store.path)
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("damaged in segment 2"))
        #expect(outcome.lines.count > 10)
        #expect(outcome.output.hasSuffix("}\n"))
        for (index, line) in outcome.lines.enumerated() {
            #expect(line.hasPrefix("{\"sequence\":\(index + 2),"))
        }
    }

    @Test func `an incomplete line is not printed`() {
        var buffer = LineBuffer()
        #expect(buffer.wholeLinesByteCount == 0)
        buffer.text.beginObject()
        #expect(buffer.wholeLinesByteCount == 0)
        buffer.text.endObject()
        buffer.text.newLine()
        #expect(buffer.wholeLinesByteCount == 3)
        buffer.text.beginObject()
        #expect(buffer.wholeLinesByteCount == 3)
    }

    @Test func `the exit status is kept if the output is closed`() throws {
        let damaged = try damagedStore()
        let verified = try CommandProcess(["verify", damaged.path], output: .closedPipe)
            .finishUnread()
        #expect(verified == CommandProcess.Outcome(status: 3, output: "", errors: ""))
        let torn = try SampleStore()
        try torn.put("Ada")
        try torn.close()
        let segment = torn.path + "/" + (try #require(try torn.segments().last))
        let file = try #require(FileHandle(forWritingAtPath: segment))
        try file.seekToEnd()
        try file.write(contentsOf: Data(repeating: 0xAB, count: 100))
        try file.close()
        let repairable = try CommandProcess(["verify", torn.path], output: .closedPipe)
            .finishUnread()
        #expect(repairable.status == 4)
        let check = try CommandProcess(["replay", torn.path, "--check"], output: .closedPipe)
            .finishUnread()
        #expect(check.status == 0)
    }

    /// If a process starts with a closed output, the next file that it opens gets the descriptor of
    /// the output, and the process would print into that file.
    @Test func `a closed output is an error, and the process writes to no other file instead`()
        throws
    {
        let store = try SampleStore()
        for index in 0..<20 { try store.put("Person \(index)") }
        try store.close()
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [
            "-c", "exec \"$0\" \"$@\" >&-", CommandProcess.program.path, "compact", "--json",
            store.path,
        ]
        let errors = Pipe()
        shell.standardError = errors
        try shell.run()
        let text = errors.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 1)
        #expect(String(decoding: text, as: UTF8.self).contains("Bad file descriptor"))
        for (name, content) in try store.files() {
            #expect(content.range(of: Data("\"segment\":".utf8)) == nil, "\(name)")
        }
        #expect(try CommandProcess.run("verify", store.path).status == 0)
    }

    @Test func `an error is printed with its cause, on one line`() {
        let lowest = DaybookError(.inputOutput, "The disk does not answer.")
        let middle = DaybookError(.outOfSpace, "A file was not written.", cause: lowest)
        let top = DaybookError(.durabilityUnknown, "The commit may be lost.", cause: middle)
        #expect(
            ErrorText.text(of: top)
                == "The commit may be lost. Cause: A file was not written. Cause: The disk does not"
                + " answer.")
        #expect(ErrorText.text(of: lowest) == "The disk does not answer.")
    }
}
