#if Macros
import DaybookObjectBox
import Foundation
import Testing

@Suite struct GeneratedEntityTests {
    private let path = "memory:plugin-tests-\(UUID().uuidString)"

    @Test func `the generated initializer opens a store with all entities`() throws {
        let store = try Store(directoryPath: path)
        #expect(try store.box(for: Diary.self).count() == 0)
        #expect(try store.box(for: User.self).count() == 0)
        #expect(try store.box(for: LogEntry.self).count() == 0)
        #expect(try store.box(for: Library.Book.self).count() == 0)
        #expect(try store.box(for: Library.Book.Page.self).count() == 0)
        store.close()
    }

    @Test func `the generated initializer is also chosen in an async function`() async throws {
        let store = try await Store(directoryPath: path)
        try await store.box(for: User.self).put(User())
        #expect(try await store.box(for: User.self).count() == 1)
        try await store.close()
    }

    @Test func `a struct of constants is stored, and gets its id in a copy`() throws {
        let store = try Store(directoryPath: path)
        let towers = store.box(for: Tower.self)
        let stored = try towers.put(struct: Tower(id: 0, name: "hall", plan: Data([1]), floors: 9))
        let found = try #require(try towers.get(stored.id))
        #expect(
            found.id == stored.id && found.name == "hall" && found.plan == Data([1])
                && found.floors == 9)
        let more = try towers.put(structs: [
            Tower(id: 0, name: "a", plan: nil, floors: 1),
            Tower(id: 0, name: "b", plan: nil, floors: 2),
        ])
        #expect(more.map(\.id.value) == [2, 3])
        store.close()
    }

    @Test func `an entity whose comment says so expires`() throws {
        let store = try Store(directoryPath: path)
        let reminders = store.box(for: Reminder.self)
        let created = Date()
        try reminders.put(Reminder(created: created))
        #expect(try store.removeExpired(at: created + 59) == 0)
        #expect(try store.removeExpired(at: created + 61) == 1)
        #expect(try reminders.isEmpty())
        store.close()
    }

    @Test func `an enum with a default is unchanged, also as an optional`() throws {
        let store = try Store(directoryPath: path, options: StoreOptions())
        let diary = Diary()
        diary.mood = .sleepy
        diary.lastMood = .cheerful
        let id = try store.box(for: Diary.self).put(diary)
        #expect(diary.id == id)
        let found = try #require(try store.box(for: Diary.self).get(id))
        #expect(found.mood == .sleepy)
        #expect(found.lastMood == .cheerful)
        #expect(found !== diary)
        store.close()
    }

    @Test func `models and queries of ObjectBox compile when only the import line changes`() throws
    {
        let store = try Store(directoryPath: path)
        let users = store.box(for: User.self)
        let user = User()
        user.email = "ada@example.org"
        user.logins = 3
        try store.runInTransaction { _ = try users.put(user) }
        let query = try users.query {
            User.email.hasPrefix("ADA", caseSensitive: false) && User.logins.isIn([1, 3])
                && User.seen.isBefore(Date())
        }.build()
        #expect(try query.property(User.email).findStrings() == ["ada@example.org"])
        store.close()
    }

    @Test func `an initializer whose parameters have defaults creates the objects`() throws {
        let store = try Store(directoryPath: path)
        let id: EntityId<Writer> = try store.box(for: Writer.self).put(
            Writer(name: "Ada", books: 3))
        let found = try #require(try store.box(for: Writer.self).get(id))
        #expect(found.name == "Ada" && found.books == 3 && found.id == id)
        try store.box(for: Shelf.self).put(Shelf(labels: "a", "b"))
        #expect(try store.box(for: Shelf.self).get(1)?.labels == ["a", "b"])
        store.close()
    }

    @Test func `annotations in the comments of a class are used`() throws {
        let store = try Store(directoryPath: path)
        let user = User()
        user.role = .admin
        user.email = "ada@example.org"
        user.name = "Ada"
        user.counter = 5
        user.seen = Date(timeIntervalSinceReferenceDate: 0.000_000_25)
        user.logins = .max
        let id = try store.box(for: User.self).put(user)
        let found = try #require(try store.box(for: User.self).get(id))
        #expect(found.role == .admin)
        #expect(found.email == "ada@example.org")
        #expect(found.name == "Ada")
        #expect(found.counter == 0)
        #expect(found.seen == user.seen)
        #expect(found.logins == .max)
        store.close()

        let description = User.entityDescription
        #expect(
            description.properties.map(\.name) == ["role", "email", "USER_NAME", "seen", "logins"])
        #expect(description.name == "User")
    }

    @Test func `a struct with an embedded value, a Codable one and an assigned id`() throws {
        let store = try Store(directoryPath: path)
        var entry = LogEntry(
            number: 500, text: "arrived", tags: ["a", "b"],
            place: Place(city: "Oslo", country: "Norway"),
            settings: Settings(volume: 3, names: ["x": [1, 2]]))
        try store.box(for: LogEntry.self).put(&entry)
        #expect(entry.number == 500)
        #expect(try store.box(for: LogEntry.self).get(500) == entry)
        #expect(LogEntry.entityDescription.name == "LOG_ENTRIES")
        store.close()
    }

    @Test func `nested types have typed ids and their own boxes`() throws {
        let store = try Store(directoryPath: path)
        var book = Library.Book(title: "Ulysses", binding: .leather)
        book.spareBinding = .leather
        book.format.width = 20
        try store.box(for: Library.Book.self).put(&book)
        let found = try #require(try store.box(for: Library.Book.self).get(book.id))
        #expect(found.title == "Ulysses")
        #expect(found.binding == .leather)
        #expect(found.spareBinding == .leather)
        #expect(found.firstBinding == .paper)
        #expect(found.format == Library.Format(width: 20))
        let page = Library.Book.Page()
        page.number = 7
        try store.box(for: Library.Book.Page.self).put(page)
        #expect(try store.box(for: Library.Book.Page.self).get(page.id)?.number == 7)
        store.close()
    }

    @Test func `a vector index in a comment finds the nearest objects`() throws {
        let store = try Store(directoryPath: path)
        let cities = store.box(for: City.self)
        for (name, location) in [
            ("Barcelona", [41.385063, 2.173404]), ("Nairobi", [-1.292066, 36.821945]),
            ("Salzburg", [47.809490, 13.055010]),
        ] as [(String, [Float])] {
            let city = City()
            (city.name, city.location) = (name, location)
            try cities.put(city)
        }
        let madrid: [Float] = [40.416775, -3.703790]
        let query = try cities.query {
            City.location.nearestNeighbors(queryVector: madrid, maxCount: 2)
        }.build()
        let found = try query.findWithScores()
        #expect(found.map(\.object.name) == ["Barcelona", "Salzburg"])
        #expect(found.map { Int($0.score) } == [5, 18])
        #expect(throws: DaybookError.self) {
            let city = City()
            city.location = [1, 2, 3]
            try cities.put(city)
        }
        store.close()
    }

    @Test func `an event has a description and no id`() {
        #expect(Visit.entityDescription.properties.map(\.name) == ["user", "moment"])
        let type: any Storable.Type = Visit.self
        #expect(type is any Event.Type)
        #expect(!(type is any Entity.Type))
    }
}
#endif
