import DaybookBytes
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// Removing the last transactions of a log.
@Suite(.timeLimit(.minutes(5))) struct LogCutTests {
    private static func small(_ options: inout LogOptions) {
        options.segmentSizeBytes = 1 << 10
        options.preallocationStepBytes = 1 << 10
    }

    /// A closed log with several segments and 30 transactions.
    private static func filled(_ fileSystem: MemoryFileSystem) throws {
        var log = try LogFixture(fileSystem, small)
        try log.append(count: 30)
        #expect(log.log.manifest.sealed.count == 2)
        try log.log.close()
    }

    @Test(arguments: UInt64(1)...30)
    func `the transactions after a sequence are cut off and kept in quarantine`(
        sequence: UInt64
    ) throws {
        let files = MemoryFileSystem()
        try Self.filled(files)
        let log = try LogFixture(files, Self.small).log
        let cut = try log.cut(after: sequence)
        #expect((cut == nil) == (sequence == 30))
        if let cut {
            #expect(cut.lastSequence == 30 && cut.sequence == sequence)
            let kept = cut.quarantinedFiles.flatMap { name in
                files.contents["/log/quarantine/" + name] ?? []
            }
            #expect(kept.count == cut.byteCount)
            let text = String(decoding: kept, as: UTF8.self)
            for number in (sequence + 1)...30 { #expect(text.contains("text \(number)")) }
        }
        var again = try LogFixture(files, Self.small)
        #expect(try again.texts() == (1...sequence).map { "text \($0)" })
        #expect(again.report.tornBytes == 0)
        // The log continues in another way.
        try again.append(count: 20, of: "other")
        try again.log.close()
        let last = try LogFixture(files, Self.small)
        #expect(try last.texts().dropFirst(Int(sequence)).first == "other \(sequence + 1)")
        #expect(try last.texts().count == Int(sequence) + 20)
    }

    @Test func `a log that was not closed is cut`() throws {
        let files = MemoryFileSystem()
        var log = try LogFixture(files)
        try log.append(count: 5)
        try log.append("first half", "second half")
        let killed = files.afterKill()
        let cut = try LogFixture(killed).log.cut(after: 4)
        #expect(cut?.lastSequence == 6)
        #expect(try LogFixture(killed).texts() == (1...4).map { "text \($0)" })
    }

    @Test func `a crash leaves the log whole, or cut, or with transactions between`() throws {
        for sequence in [UInt64(4), 17, 28] {
            let recording = MemoryFileSystem(recording: true)
            try Self.filled(recording)
            let start = recording.operationCount
            _ = try LogFixture(recording, Self.small).log.cut(after: sequence)
            var counts: Set<Int> = []
            for operation in start...recording.operationCount {
                try recording.visitCrashImages(after: operation, seed: 7, randomCount: 4) { image in
                    let files = image.makeFileSystem()
                    let texts = try LogFixture(files, Self.small).texts()
                    #expect(texts.count >= Int(sequence), "\(image)")
                    #expect(texts == (1...max(1, texts.count)).map { "text \($0)" }, "\(image)")
                    counts.insert(texts.count)
                }
            }
            #expect(counts.contains(Int(sequence)) && counts.contains(30))
        }
    }
}
