import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite struct AsyncTests {
    private func open() async throws -> (Store, Box<Note>) {
        let store = try await Store(
            directoryPath: "memory:\(UUID())", entities: Note.self, Person.self)
        return (store, store.box())
    }

    @Test func `async calls throw the same errors as blocking calls`() async throws {
        let (store, notes) = try await open()
        let codes: [DaybookError.Code] = [.notFound, .idUnknown, .idExists]
        _ = try await notes.put(Note(text: "a"))
        let missing = await #expect(throws: DaybookError.self) {
            try await notes.put(Note(id: 1_000, text: "x"), mode: .update)
        }
        #expect(try await !notes.remove(77))
        let unknown = await #expect(throws: DaybookError.self) {
            try await notes.put(Note(id: 77, text: "x"))
        }
        let exists = await #expect(throws: DaybookError.self) {
            try await notes.put(Note(id: 1, text: "x"), mode: .insert)
        }
        #expect([missing?.code, unknown?.code, exists?.code] == codes)
        await #expect(throws: Refusal(number: 5)) {
            try await store.write {
                try notes.put(Note(text: "lost"))
                throw Refusal(number: 5)
            }
        }
        #expect(try await notes.count() == 1)
        try await store.close()
        let closed = await #expect(throws: DaybookError.self) { _ = try await notes.all() }
        #expect(closed?.code == .closed)
    }

    @Test func `an async transaction puts objects of its caller and returns objects`()
        async throws
    {
        let (store, _) = try await open()
        let kept = KeptObject()
        let box = store.box(for: Person.self)
        let ada = Person("Ada")
        let id = try await store.write(metadata: ["author": "test"]) { try box.put(ada) }
        kept.object = try await store.read { try box.get(id) }
        kept.object?.name = "Ada Lovelace"
        #expect(kept.object?.name == "Ada Lovelace")
        let all = try await store.write { try box.all() }
        #expect(all.map(\.name) == ["Ada"])
        try await store.close()
    }

    @Test func `an async transaction runs its operations in one block and makes one commit`()
        async throws
    {
        let (store, notes) = try await open()
        let before = try store.sequence
        let ids = try await store.write {
            [try notes.put(Note(text: "a")), try notes.put(Note(text: "b"))]
        }
        #expect(ids == [1, 2])
        #expect(try store.sequence == before + 1)
        let texts = try await store.read { try notes.all().map(\.text) }
        #expect(texts == ["a", "b"])
        try await store.close()
    }

    @Test func `many tasks commit, and each sees its own commit when it returns`() async throws {
        let directory = TemporaryDirectory()
        let store = try await Store(directory: directory.url, entities: Note.self)
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
        try await store.close()
        let again = try await Store(directory: directory.url, entities: Note.self)
        #expect(try await again.box(for: Note.self).count() == 60)
        try await again.close()
    }

    @Test func `objects need not be Sendable`() async throws {
        let (store, _) = try await open()
        let people = store.box(for: Person.self)
        let ada = Person("Ada")
        #expect(try await people.put(ada) == 1)
        #expect(ada.id == 1)
        let twin = Person("twin")
        #expect(try await people.put([twin, ada, twin]) == [2, 1, 2])
        #expect(twin.id == 2)
        #expect(try await people.get(1)?.name == "Ada")
        await #expect(throws: Refusal(number: 99)) {
            try await people.put([Person("lost"), Person("unstorable")])
        }
        #expect(try await people.all().map(\.name) == ["Ada", "twin"])
        #expect(try await people.remove(ada))
        try await store.close()
    }

    @Test func `an async visit reads one version in all its batches`() async throws {
        let (store, notes) = try await open()
        try await notes.put((1...1000).map { Note(text: "\($0)") })
        var seen: [Id] = []
        try await notes.visit { note in
            if note.id == 1 { _ = try notes.removeAll() }
            seen.append(note.id)
            return note.id < 700
        }
        #expect(seen == Array(1...700))
        #expect(try await notes.isEmpty())
        try await store.close()
    }

    @Test func `a running visit throws closed after the store is closed`() async throws {
        for isByIds in [false, true] {
            let (store, notes) = try await open()
            try await notes.put((1...1000).map { Note(text: "\($0)") })
            var count = 0
            func visit(_ note: Note?) throws {
                if count == 0 { try store.close() }
                count += 1
            }
            let error = await #expect(throws: DaybookError.self) {
                if isByIds {
                    try await notes.forEach(ids: Array(1...1000)) { try visit($0) }
                } else {
                    try await notes.forEach { try visit($0) }
                }
            }
            #expect(error?.code == .closed)
            // Objects that were read in advance are still delivered.
            #expect(count > 0 && count < 1000)
        }
    }

    @Test @MainActor func `an actor uses a box in its methods`() async throws {
        let (store, notes) = try await open()
        var texts: [String] = []
        try await notes.put(Note(text: "from the main actor"))
        for note in try await notes.all() { texts.append(note.text) }
        #expect(texts == ["from the main actor"])
        try await store.close()
    }
}

/// An object of the caller that cannot be used by other threads.
private final class KeptObject {
    var object: Person?
}
