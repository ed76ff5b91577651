import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite struct AsyncTests {
    private func open() throws -> (Store, Box<Note>) {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Note.self, Person.self)
        return (store, store.box())
    }

    @Test func `every operation has a twin that does not block`() async throws {
        let (store, notes) = try open()
        var note = Note(text: "a")
        #expect(try await notes.put(&note) == 1)
        #expect(note.id == 1)
        #expect(try await notes.put(Note(text: "b")) == 2)
        try await notes.put([Note(text: "c"), Note(text: "d")])
        try await notes.put(Note(text: "e"), Note(text: "f"))
        var several = [Note(text: "g"), Note(text: "h")]
        try await notes.put(&several)
        #expect(several.map(\.id) == [7, 8])
        #expect(try await notes.putAndReturnIDs([Note(text: "i")]) == [9])
        #expect(try await notes.get(1)?.text == "a")
        #expect(try await notes.get(EntityId<Note>(2))?.text == "b")
        #expect(try await notes.get([9, 1, 77]).map(\.text) == ["i", "a"])
        #expect(try await notes.getAsDictionary([3]).mapValues(\.text) == [3: "c"])
        #expect(try await notes.contains(1))
        #expect(try await !notes.contains([1, 77]))
        #expect(try await notes.count() == 9)
        #expect(try await !notes.isEmpty())
        #expect(try await notes.remove(1))
        #expect(try await notes.remove([2, 77]) == 1)
        #expect(try await notes.remove(several[0]))
        #expect(try await notes.all().count == 6)
        try notes.forEach(writable: true) { try notes.put(Note(id: $0.id, text: "changed")) }
        try await notes.visit { note in
            guard note.text == "changed" else { throw Refusal() }
            return true
        }
        #expect(try await notes.removeAll() == 6)
        try await store.sync()
        try store.close()
    }

    @Test func `errors are the same as without await`() async throws {
        let (store, notes) = try open()
        let codes: [DaybookError.Code] = [.notFound, .idUnknown, .idExists]
        _ = try await notes.put(Note(text: "a"))
        let missing = await #expect(throws: DaybookError.self) { try await notes.remove(77) }
        let unknown = await #expect(throws: DaybookError.self) {
            try await notes.put(Note(id: 77, text: "x"))
        }
        let exists = await #expect(throws: DaybookError.self) {
            try await notes.put(Note(id: 1, text: "x"), mode: .insert)
        }
        #expect([missing?.code, unknown?.code, exists?.code] == codes)
        await #expect(throws: Refusal(number: 5)) {
            try await store.runInTransaction {
                try notes.put(Note(text: "lost"))
                throw Refusal(number: 5)
            }
        }
        #expect(try await notes.count() == 1)
        try store.close()
        let closed = await #expect(throws: DaybookError.self) { _ = try await notes.all() }
        #expect(closed?.code == .closed)
    }

    @Test func `a transaction of several operations is one block and one commit`() async throws {
        let (store, notes) = try open()
        let before = try store.sequence
        let ids = try await store.runInTransaction {
            [try notes.put(Note(text: "a")), try notes.put(Note(text: "b"))]
        }
        #expect(ids == [1, 2])
        #expect(try store.sequence == before + 1)
        let texts = try await store.runInReadOnlyTransaction { try notes.all().map(\.text) }
        #expect(texts == ["a", "b"])
        try store.close()
    }

    @Test func `many tasks commit, and each sees its own commit when it returns`() async throws {
        let directory = TemporaryDirectory()
        let store = try Store(directory: directory.url, entities: Note.self)
        let notes = store.box(for: Note.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let id = try await notes.put(Note(text: "\(number)"))
                    guard try await notes.get(id)?.text == "\(number)" else { throw Refusal() }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await notes.count() == 60)
        try store.close()
        let again = try Store(directory: directory.url, entities: Note.self)
        #expect(try await again.box(for: Note.self).count() == 60)
        try again.close()
    }

    @Test func `objects need not be Sendable`() async throws {
        let (store, _) = try open()
        let people = store.box(for: Person.self)
        let ada = Person("Ada")
        #expect(try await people.put(ada) == 1)
        #expect(ada.id == 1)
        let twin = Person("twin")
        #expect(try await people.putAndReturnIDs([twin, ada, twin]) == [2, 1, 2])
        #expect(twin.id == 2)
        #expect(try await people.get(1)?.name == "Ada")
        await #expect(throws: Refusal(number: 99)) {
            try await people.put(Person("lost"), Person("unstorable"))
        }
        #expect(try await people.all().map(\.name) == ["Ada", "twin"])
        #expect(try await people.remove(ada))
        try store.close()
    }

    @Test func `a visit holds one version over all its pieces`() async throws {
        let (store, notes) = try open()
        try await notes.put((1...1000).map { Note(text: "\($0)") })
        var seen: [Id] = []
        try await notes.visit { note in
            if note.id == 1 { _ = try notes.removeAll() }
            seen.append(note.id)
            return note.id < 700
        }
        #expect(seen == Array(1...700))
        #expect(try await notes.isEmpty())
        try store.close()
    }

    @Test @MainActor func `a box is used from an actor's methods as from anywhere`() async throws {
        let (store, notes) = try open()
        var texts: [String] = []
        try await notes.put(Note(text: "from the main actor"))
        for note in try await notes.all() { texts.append(note.text) }
        #expect(texts == ["from the main actor"])
        try store.close()
    }
}
