import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// Calls each operation once with `await`: if an operation has no async twin, the compiler warns
/// about the `await`. `TwinTests` checks in the sources that no twin is missing.
@Suite struct AsyncTwinTests {
    private let directory = TemporaryDirectory()

    @Test func `a store is opened, followed, synced and closed without blocking`() async throws {
        let byURL = try await Store(directory: directory.url, entities: Note.self)
        try await byURL.box(for: Note.self).put(Note(text: "a"))
        try await byURL.sync()
        var options = StoreOptions()
        options.isReadOnly = true
        options.refreshInterval = .zero
        let byPath = try await Store(
            directoryPath: directory.path, entities: Note.self, options: options)
        try await byURL.box(for: Note.self).put(Note(text: "b"))
        let isNews = try await byPath.refresh()
        #expect(isNews)
        let types: [any Entity.Type] = [Note.self]
        let byTypes = try await Store(path: directory.path, entities: types, options: options)
        let count = try await byTypes.read {
            try byTypes.box(for: Note.self).count()
        }
        #expect(count == 2)
        try await byURL.write(metadata: ["author": "ada"]) {
            try byURL.box(for: Note.self).removeAll()
        }
        for store in [byTypes, byPath, byURL, byURL] { try await store.close() }
        expectError(.closed) { _ = try byURL.sequence }
    }

    @Test func `a failed asynchronous opening throws the same error as the blocking one`()
        async throws
    {
        try directory.place("letter.txt", "mine")
        let strange = await #expect(throws: DaybookError.self) {
            try await Store(directory: directory.url, entities: Note.self)
        }
        let web = await #expect(throws: DaybookError.self) {
            try await Store(directory: try #require(URL(string: "https://x.org")))
        }
        #expect([strange?.code, web?.code] == [.notAStore, .invalidArgument])
    }

    private func open() async throws -> (Store, Box<Note>) {
        let store = try await Store(directoryPath: "memory:\(UUID())", entities: Note.self)
        return (store, store.box())
    }

    @Test func `all kinds of puts have async calls`() async throws {
        let (store, notes) = try await open()
        var note = Note(text: "a")
        let ids = [try await notes.put(&note), try await notes.put(Note(text: "b"))]
        #expect(ids == [1, 2] && note.id == 1)
        try await notes.put([Note(text: "c"), Note(text: "d")])
        try await notes.put([Note(text: "e"), Note(text: "f")])
        var several = [Note(text: "g"), Note(text: "h")]
        try await notes.put(&several)
        #expect(several.map(\.id) == [7, 8])
        let ofList = try await notes.put([Note(text: "i"), note])
        #expect(ofList == [9, 1])
        let texts = try await notes.all().map(\.text)
        #expect(texts == "abcdefghi".map { String($0) })
        try await store.close()
    }

    @Test func `all kinds of finds have async calls`() async throws {
        let (store, notes) = try await open()
        try await notes.put((1...9).map { Note(text: "\($0)") })
        let first = EntityId<Note>(1)
        let missing = EntityId<Note>(77)
        let single = [try await notes.get(1), try await notes.get(first)]
        #expect(single.map { $0?.text } == ["1", "1"])
        let listed = try await notes.get([9, 77, 1]).map(\.text)
        let typed = try await notes.get([first, missing], maxCount: 1).map(\.text)
        #expect(listed == ["9", "1"] && typed == ["1"])
        let byId = try await notes.getAsDictionary([3, 77]).mapValues(\.text)
        let byTypedId = try await notes.getAsDictionary([first, missing]).mapValues(\.text)
        #expect(byId == [3: "3"] && byTypedId == [first: "1"])
        let answers = [
            try await notes.contains(1), try await notes.contains([1, 77]),
            try await notes.contains([1, 2]), try await notes.contains(first),
            try await notes.contains([first, missing]), try await notes.isEmpty(),
        ]
        #expect(answers == [true, false, true, true, false, false])
        let counts = [try await notes.count(), try await notes.count(limit: 4)]
        #expect(counts == [9, 4])
        try await store.close()
    }

    @Test func `all kinds of visits have async calls`() async throws {
        let (store, notes) = try await open()
        try await notes.put((1...600).map { Note(text: "\($0)") })
        try await notes.forEach(writable: true) { note in
            if note.id % 2 == 0 { try notes.remove(note.id) }
        }
        try await notes.visit(writable: true) { note in
            try notes.put(Note(id: note.id, text: "changed"))
            return note.id < 3
        }
        var texts: [String] = []
        try await notes.visit { note in
            texts.append(note.text)
            return texts.count < 3
        }
        #expect(texts == ["changed", "changed", "5"])
        var count = 0
        try await notes.forEach { _ in count += 1 }
        #expect(count == 300)
        var found: [Id?] = []
        try await notes.forEach(ids: (1...600).reversed()) { found.append($0?.id) }
        let expected = (1...600 as ClosedRange<Id>).reversed().map { $0 % 2 == 1 ? $0 : nil }
        #expect(found == expected)
        // A visit that cannot write is a read, even on the thread of a writer.
        let error = await #expect(throws: DaybookError.self) {
            try await notes.forEach(writable: false) { try notes.remove($0) }
        }
        #expect(error?.code == .cannotWriteWhileReading)
        try await store.close()
    }

    @Test func `all kinds of removals have async calls`() async throws {
        let (store, notes) = try await open()
        try await notes.put((1...12).map { Note(text: "\($0)") })
        let isGone = [
            try await notes.remove(1), try await notes.remove(Note(id: 2, text: "")),
            try await notes.remove(EntityId<Note>(3)),
        ]
        #expect(isGone == [true, true, true])
        let counts = [
            try await notes.remove([4, 77]), try await notes.remove([5, 77]),
            try await notes.remove([Note(id: 6, text: "")]),
            try await notes.remove([Note(id: 7, text: ""), Note(id: 77, text: "")]),
            try await notes.remove([EntityId<Note>(8), EntityId<Note>(77)]),
            try await notes.removeAll(),
        ]
        #expect(counts == [1, 1, 1, 1, 1, 4])
        try await store.close()
    }
}
