import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(30))) struct ReadOnlyTests {
    private let directory = TemporaryDirectory()

    private func reader(_ interval: Duration = .zero) throws -> Store {
        var options = StoreOptions()
        options.isReadOnly = true
        options.refreshInterval = interval
        return try Store(directory: directory.url, entities: Note.self, options: options)
    }

    @Test func `a reader beside the writer reads and follows, and refuses writes`() throws {
        let store = try Store(directory: directory.url, entities: Note.self)
        let notes = store.box(for: Note.self)
        try notes.put(Note(text: "one"))
        let reader = try reader()
        let seen = reader.box(for: Note.self)
        #expect(try seen.all().map(\.text) == ["one"])
        expectError(.readOnly) { try seen.put(Note(text: "x")) }
        expectError(.readOnly) { try seen.remove(1) }
        expectError(.readOnly) { try seen.removeAll() }
        expectError(.readOnly) { try reader.write {} }
        expectError(.readOnly) { try seen.forEach(writable: true) { _ in } }
        try notes.put(Note(text: "two"))
        #expect(try seen.count() == 1)
        #expect(try reader.refresh())
        #expect(try seen.count() == 2)
        #expect(try reader.sequence == (try store.sequence))
        #expect(try !store.refresh())
        try reader.close()
        expectError(.closed) { _ = try seen.count() }
        try store.close()
    }

    @Test func `a reader follows automatically`() throws {
        let store = try Store(directory: directory.url, entities: Note.self)
        let reader = try reader(.milliseconds(5))
        let seen = reader.box(for: Note.self)
        try store.box(for: Note.self).put(Note(text: "one"))
        // The commit arrives, even on a slow machine.
        while try seen.isEmpty() { Thread.sleep(forTimeInterval: 0.005) }
        #expect(try seen.get(1)?.text == "one")
        try reader.close()
        try store.close()
    }

    @Test func `a reader without a writer changes no file`() throws {
        let store = try Store(directory: directory.url, entities: Note.self)
        try store.box(for: Note.self).put(Note(text: "one"))
        try store.close()
        let files = try directory.names
        let reader = try reader()
        #expect(try reader.box(for: Note.self).count() == 1)
        try reader.close()
        #expect(try directory.names == files)
    }

    @Test func `a reader needs a store, and the entities that it declares`() throws {
        expectError(.fileNotFound) { _ = try reader() }
        #expect(!FileManager.default.fileExists(atPath: directory.path))
        let store = try Store(directory: directory.url, entities: Person.self)
        try store.close()
        let error = expectError(.schemaMismatch) { _ = try reader() }
        #expect(error?.details["entity"] == "Note")
    }

    @Test func `reads of a read-only store may be nested`() throws {
        let store = try Store(directory: directory.url, entities: Note.self)
        let notes = store.box(for: Note.self)
        try notes.put(Note(text: "one"))
        let reader = try reader()
        let seen = reader.box(for: Note.self)
        try reader.read {
            try notes.put(Note(text: "two"))
            try reader.refresh()
            #expect(try seen.count() == 1)
            expectError(.cannotWriteWhileReading) { try seen.put(Note(text: "x")) }
        }
        #expect(try seen.count() == 2)
        try reader.close()
        try store.close()
    }
}
