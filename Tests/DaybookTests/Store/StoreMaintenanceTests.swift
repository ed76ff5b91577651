import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// Statistics and verification through the public API.
@Suite struct StoreMaintenanceTests {
    @Test func `statistics count objects, ids, commits and bytes`() throws {
        let directory = TemporaryDirectory()
        let store = try Store(directory: directory.url, entities: Note.self)
        let notes = store.box(for: Note.self)
        for number in 0..<3 { try notes.put(Note(text: "note \(number)")) }
        try notes.remove(1)
        let statistics = try store.statistics()
        let entity = try #require(statistics.entities.first { $0.name == "Note" })
        #expect(entity.objectCount == 2)
        #expect(entity.nextId == 4)
        #expect(statistics.lastSequence == (try store.sequence))
        #expect(statistics.firstSequence == 1)
        #expect(statistics.historyFloor == 0)
        #expect(statistics.segments.map(\.state) == [.active])
        #expect(statistics.segments.reduce(0) { $0 + $1.recordCount } >= 8)
        #expect(statistics.logBytes > 0)
        #expect(statistics.fileBytes.total >= statistics.fileBytes.segments)
        #expect(statistics.fileBytes.segments > 0)
        try store.close()
    }

    @Test func `verification of an open store finds nothing and counts its objects`() throws {
        let directory = TemporaryDirectory()
        let store = try Store(directory: directory.url, entities: Note.self)
        let notes = store.box(for: Note.self)
        for number in 0..<20 { try notes.put(Note(text: "note \(number)")) }
        let report = try store.verify()
        #expect(report.findings == [])
        #expect(report.severity == nil)
        #expect(report.objectCount == 20)
        #expect(report.sequence == (try store.sequence))
        try notes.put(Note(text: "a later note"))
        #expect(try store.verify().objectCount == 21)
        try store.close()
    }

    @Test func `an in-memory store has statistics and is verified`() throws {
        let store = try Store(directoryPath: "memory:maintenance", entities: Note.self)
        try store.box(for: Note.self).put(Note(text: "one"))
        #expect(try store.verify().objectCount == 1)
        #expect(try store.statistics().entities.map(\.objectCount) == [1])
        try store.close()
    }

    @Test func `a damaged byte is a finding that names the segment, not an error`() throws {
        let directory = TemporaryDirectory()
        let store = try Store(directory: directory.url, entities: Note.self)
        let notes = store.box(for: Note.self)
        for text in ["first", "damaged text", "last"] { try notes.put(Note(text: text)) }
        let segment = try #require(
            FileManager.default.contentsOfDirectory(atPath: directory.url.path)
                .first { $0.hasPrefix("segment-") })
        let file = directory.url.appendingPathComponent(segment)
        let bytes = try Data(contentsOf: file)
        let place = try #require(bytes.range(of: Data("damaged".utf8)))
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: UInt64(place.lowerBound))
        try handle.write(contentsOf: Data("D".utf8))
        try handle.close()
        let report = try store.verify()
        #expect(report.severity == .corruption)
        #expect(report.findings.contains { $0.severity == .corruption && !$0.message.isEmpty })
    }

    @Test func `a cancelled verification ends with interrupted`() throws {
        let store = try Store(directoryPath: "memory:interrupted", entities: Note.self)
        try store.box(for: Note.self).put(Note(text: "one"))
        expectError(.interrupted) { _ = try store.verify(isCancelled: { true }) }
        try store.close()
    }

    @Test func `a closed store has no statistics and is not verified`() throws {
        let store = try Store(directoryPath: "memory:closed", entities: Note.self)
        try store.close()
        expectError(.closed) { _ = try store.statistics() }
        expectError(.closed) { _ = try store.verify() }
    }

    @Test func `async callers get the same statistics and the same report`() async throws {
        let store = try await Store(directoryPath: "memory:async", entities: Note.self)
        try await store.box(for: Note.self).put(Note(text: "one"))
        let statistics = try await store.statistics()
        #expect(statistics.entities.map(\.objectCount) == [1])
        let report = try await store.verify()
        #expect(report.findings == [])
        #expect(report.objectCount == 1)
        try await store.close()
    }
}
