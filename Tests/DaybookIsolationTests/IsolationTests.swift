#if Macros
import DaybookRealm
import Foundation
import Testing

/// Entities of a module with main-actor isolation by default, used on the main actor and elsewhere.
@Suite struct IsolationTests {
    private let path = "memory:isolation-\(UUID().uuidString)"

    private func open() throws -> Store {
        try Store(
            directoryPath: path, entities: Note.self, Watched.self, Dog.self, Visit.self)
    }

    @Test func `objects are read and written on the main actor`() async throws {
        let model = Model(store: try open())
        try await model.add("a")
        try await model.add("b")
        #expect(model.notes.map(\.title) == ["a", "b"])
        #expect(model.notes.first?.home == Address(city: "Ulm"))
        #expect(model.notes.first?.mood == .wild)
        try await model.store.close()
    }

    @Test func `objects are put and read on other threads`() async throws {
        let store = try await Store(
            directoryPath: path, entities: Note.self, Watched.self, Dog.self, Visit.self)
        try await store.write {
            try store.box(for: Note.self).put(Note(title: "c", mood: .calm))
            let watched = Watched()
            watched.kind = .fancy
            watched.tags = ["x"]
            try store.box(for: Watched.self).put(watched)
        }
        let found = try #require(try await store.box(for: Watched.self).get(1))
        #expect(found.kind == .fancy && found.tags == ["x"])
        try await store.append(Visit(note: 1, moment: Date(timeIntervalSince1970: 0)))
        try await store.close()
    }

    @Test func `Realm's classes work in an isolated module`() throws {
        let store = try open()
        let dog = Dog()
        dog.name = "Rex"
        dog.home = Kennel()
        dog.home?.street = "Long Lane"
        try store.box().put(dog)
        #expect(try store.box(for: Dog.self).get(key: "Rex")?.home?.street == "Long Lane")
        try store.close()
    }

    @Test func `one import makes members of lower modules visible`() async throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        try await notes.put(Note(title: "a", mood: .calm), mode: .insert)
        let refused = await #expect(throws: DaybookError.self) {
            try await notes.put(Note(title: "a", mood: .wild))
        }
        #expect(refused?.code == .uniqueViolation)
        let found = try notes.query { Note.title.contains("A", options: .caseInsensitive) }.build()
        #expect(try await !found.explain().root.text.isEmpty)
        #expect(try await found.count() == 1)
        #expect(store.openingReport.isNew)
        #expect(
            Daybook.ChangePosition(store.position.description)?.sequence == store.position.sequence)
        var options = StoreOptions()
        options.durability = .interval(.milliseconds(5))
        #expect(options.durability != Durability.always)
        try await store.close()
    }

    @Test func `queries run on the main actor and elsewhere`() async throws {
        let model = Model(store: try open())
        try await model.add("a")
        try await model.add("b")
        let notes = model.store.box(for: Note.self)
        let found = notes.query { $0.title == "a" && $0.home.city == "Ulm" }
        #expect(try await found.count() == 1)
        let isFound = try await Task.detached {
            try await !notes.query { Note.mood == .wild && Note.title > "a" }.build().isEmpty()
        }.value
        #expect(isFound)
        try await model.store.close()
    }
}
#endif
