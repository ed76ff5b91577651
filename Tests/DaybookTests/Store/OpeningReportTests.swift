import Daybook
import DaybookEngine
import DaybookBytes
import DaybookTestSupport
import Foundation
import Testing

/// The health of a store as reported to a program.
@Suite struct OpeningReportTests {
    private let directory = TemporaryDirectory()

    private func open(isReadOnly: Bool = false) throws -> Store {
        var options = StoreOptions()
        options.isReadOnly = isReadOnly
        options.refreshInterval = .milliseconds(1)
        return try Store(directory: directory.url, entities: Note.self, options: options)
    }

    private func path(_ prefix: String) throws -> URL {
        directory.url.appendingPathComponent(
            try #require(directory.names.last { $0.hasPrefix(prefix) }))
    }

    @Test func `the report of a new store differs from that of a closed one`() throws {
        let fresh = try open()
        #expect(fresh.openingReport.isNew)
        #expect(fresh.openingReport.sequence == 0)
        try fresh.box(for: Note.self).put(Note(text: "a"))
        let last = try fresh.sequence
        try fresh.close()
        let again = try open()
        let report = again.openingReport
        #expect(!report.isNew && report.wasClosedCleanly)
        #expect(report.sequence == last)
        #expect(report.quarantinedBytes == 0 && report.quarantinedFile == nil)
        #expect(report.rejectedSnapshots == [] && report.orphanedFiles == [])
        try again.close()
    }

    @Test func `leftovers of a crash are reported with their location`() throws {
        let store = try open()
        try store.box(for: Note.self).put(Note(text: "a"))
        try store.close()
        let segment = try FileHandle(forWritingTo: try path("segment-"))
        try segment.seekToEnd()
        try segment.write(contentsOf: Data(repeating: 0xAB, count: 100))
        try segment.close()
        try directory.place("snapshot-00000000000000000001-000001", "nonsense")
        let again = try open()
        let report = again.openingReport
        #expect(!report.wasClosedCleanly)
        #expect(report.quarantinedBytes == 100)
        let kept = try #require(report.quarantinedFile)
        #expect(FileManager.default.fileExists(atPath: directory.path + "/" + kept))
        #expect(report.rejectedSnapshots.count == 1)
        #expect(report.rejectedSnapshots[0].hasPrefix("snapshot-00000000000000000001-000001: "))
        #expect(try again.box(for: Note.self).count() == 1)
        try again.close()
    }

    @Test(.timeLimit(.minutes(30)))
    func `a reader that cannot follow its writer reports the reason until it can`() throws {
        let store = try open()
        let reader = try open(isReadOnly: true)
        #expect(reader.maintenanceError == nil)
        let current = try path("CURRENT")
        let content = try Data(contentsOf: current)
        // A manifest that does not exist.
        try Data("daybook manifest-0000009999 0123456789abcdef\n".utf8).write(to: current)
        try store.box(for: Note.self).put(Note(text: "a"))
        while reader.maintenanceError == nil { Thread.sleep(forTimeInterval: 0.001) }
        #expect(reader.maintenanceError?.code == .corruption)
        try content.write(to: current)
        while reader.maintenanceError != nil { Thread.sleep(forTimeInterval: 0.001) }
        #expect(store.maintenanceError == nil)
        try reader.close()
        try store.close()
    }

    @Test func `the log stores the metadata of a transaction`() throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        try store.write(metadata: ["author": "ada", "cause": "outer"]) {
            try notes.put(Note(text: "a"))
            try store.write(metadata: ["cause": "inner", "ticket": "7"]) {
                try notes.put(Note(text: "b"))
            }
        }
        try store.write { try notes.put(Note(text: "c")) }
        let last = try store.sequence
        try store.write(metadata: ["author": "nobody"]) {}
        #expect(try store.sequence == last)
        try store.close()
        let engine = try Engine.open(directory.path, RealFileSystem(), access: .read)
        var found: [[String: String]] = []
        try engine.forEachTransaction(matching: EventFilter(kinds: [.put])) { transaction in
            if transaction.eventCount > 0 { found.append(transaction.metadata) }
            return true
        }
        #expect(found == [["author": "ada", "cause": "inner", "ticket": "7"], [:]])
        try engine.close()
    }

    @Test func `async transactions have metadata too`() async throws {
        let store = try await Store(directory: directory.url, entities: Note.self)
        try await store.write(metadata: ["author": "ada"]) {
            try store.box(for: Note.self).put(Note(text: "a"))
        }
        try await store.close()
        let engine = try Engine.open(directory.path, RealFileSystem(), access: .read)
        var last: [String: String] = [:]
        try engine.forEachTransaction { transaction in
            last = transaction.metadata
            return true
        }
        #expect(last == ["author": "ada"])
        try engine.close()
    }
}
