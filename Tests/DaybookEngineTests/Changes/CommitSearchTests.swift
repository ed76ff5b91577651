import DaybookBytes
@testable import DaybookEngine
import DaybookLog
import DaybookTestSupport
import Testing

/// The cost of searches for commits.
@Suite struct CommitSearchTests {
    private let disk = CountingDisk(MemoryFileSystem())
    private let notes: NoteStore

    init() throws {
        notes = try NoteStore(disk)
        let text = String(repeating: "x", count: 500)
        for number in 0..<4_000 { try notes.put("\(number) \(text)") }
    }

    @Test func `the newest commits are read without the commits before them`() throws {
        let bytes = try disk.readBytes {
            let found = try notes.engine.commits(limit: 1)
            #expect(found.commits.count == 1)
        }
        #expect(bytes < 200 << 10)
    }

    @Test func `a search that finds nothing reads the log about once`() throws {
        let filter = EventFilter(metadata: ["author": "nobody"])
        let bytes = try disk.readBytes {
            let found = try notes.engine.commits(limit: 1, matching: filter)
            #expect(found.commits.isEmpty && found.next == nil)
        }
        let log = notes.engine.log.lengthBytes
        #expect(log > 2 << 20)
        #expect(bytes < 2 * log)
    }
}
