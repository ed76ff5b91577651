#if Macros
import DaybookRealm
import Foundation
import Testing

@Suite struct RealmEntityTests {
    private let directory = TemporaryDirectory()

    private func open() throws -> Store {
        try Store(directory: directory.url, entities: Owner.self, Pet.self)
    }

    @Test func `all persisted properties of a Realm object are unchanged`() throws {
        let store = try open()
        let pet = Pet()
        pet.name = "Rex"
        try store.box(for: Pet.self).put(pet)
        let home = Home()
        home.city = "Bonn"
        let owner = Owner()
        owner.firstName = "Ada"
        owner.age = 36
        owner.mood = .lively
        owner.home = home
        owner.homes.append(home)
        owner.names.insert("A")
        owner.notes["b"] = 2
        owner.pets.append(pet)
        owner.draft = 7
        try store.box(for: Owner.self).put(owner)
        #expect(owner.entityId == 1)
        try store.close()

        let again = try open()
        let found = try #require(try again.box(for: Owner.self).get(1))
        #expect(found.entityId == 1 && found._id == owner._id)
        #expect(found.firstName == "Ada" && found.age == 36 && found.mood == .lively)
        #expect(found.home?.city == "Bonn" && found.homes.map(\.city) == ["Bonn"])
        #expect(found.names.contains("A") && found.notes["b"] == 2)
        #expect(found.pets.count == 1 && found.draft == nil)
        try again.close()
    }

    @Test func `conditions and orders use an indexed value of any type`() throws {
        let store = try open()
        let pets = store.box(for: Pet.self)
        for badge in [.string("b"), .int(7), .none, .double(2.5)] as [AnyRealmValue] {
            let pet = Pet()
            pet.badge = badge
            try pets.put(pet)
        }
        let query = try pets.query { $0.badge > .int(2) && $0.badge < .string("c") }.build()
        try query.requireIndexed()
        #expect(
            try query.ordered(by: \.badge).find().map(\.badge) == [
                .double(2.5), .int(7), .string("b"),
            ])
        #expect(try pets.query { $0.badge == .double(7) }.count() == 1)
    }

    @Test func `only persisted properties are in the description`() {
        #expect(
            Owner.entityDescription.properties.map(\.name).sorted() == [
                "_id", "age", "first_name", "home", "homes", "mood", "names", "notes", "pets",
            ])
        #expect(Pet.entityDescription.properties.map(\.name) == ["name", "badge"])
        #expect(WeatherSensor.entityDescription.properties.count == 3)
        #expect(Home.entityDescription.properties.map(\.name) == ["city", "country"])
    }
}
#endif
