#if Macros
import DaybookRealm
import Foundation
import Testing

/// The models of the pages without macros, in a store with all entities of this target.
@Suite struct PageTests {
    private let path = "memory:pages-\(UUID().uuidString)"

    @Test func `ObjectBox's page on enums and custom types`() throws {
        let store = try Store(directoryPath: path)
        let object = EnumsPage.EnumEntity()
        object.custom = .second
        try store.box().put(object)
        #expect(try store.box(for: EnumsPage.EnumEntity.self).get(1)?.custom == .second)
        let user = EnumsPage.User()
        user.role = .admin
        try store.box().put(user)
        let users = store.box(for: EnumsPage.User.self)
        #expect(try users.get(user.id)?.role == .admin)
        typealias User = EnumsPage.User
        #expect(try users.query { User.role == EnumsPage.Role.admin.rawValue }.count() == 1)
        #expect(try users.query { User.role == 2 }.count() == 1)
        #expect(try users.query { User.role == .admin && User.role > 1 }.count() == 1)
        let enums = store.box(for: EnumsPage.EnumEntity.self)
        let second = EnumsPage.TestEnum.second.rawValue
        #expect(try enums.query { EnumsPage.EnumEntity.custom == second }.count() == 1)
        try store.close()
    }

    @Test func `Realm's page on object models`() throws {
        let store = try Store(directoryPath: path)
        let people = store.box(for: RealmPage.Person.self)
        let friend = RealmPage.Person()
        try people.put(friend)
        let person = RealmPage.Person()
        person.firstName = "Ada"
        person.address = RealmPage.Address()
        person.address?.city = "London"
        person.friends.append(friend)
        person.ignored = "gone"
        let found = try #require(try people.get(try people.put(person)))
        #expect(found.firstName == "Ada" && found.address?.city == "London")
        #expect(found.friends.ids == [friend.entityId])
        #expect(found.ignored == "not stored")
        let names = RealmPage.Person.entityDescription.properties.map(\.name)
        #expect(names == ["first_name", "last_name", "address", "friends"])

        try store.close()
    }

    @Test func `the projections of Realm's page, and the same as a struct`() throws {
        let store = try Store(directoryPath: path)
        let people = store.box(for: RealmPage.Person.self)
        let person = RealmPage.Person()
        person.firstName = "Ada"
        person.address = RealmPage.Address()
        person.address?.city = "London"
        let friend = RealmPage.Person()
        friend.firstName = "Grace"
        person.friends.append(friend)
        let id = try people.put(person)

        let projections = people.projections(RealmPage.PersonProjection.self)
        let projection = try #require(try projections.get(id))
        #expect(projection.id == id && projection.firstName == "Ada")
        #expect(projection.homeCity == "London" && projection.firstFriendsName == ["Grace"])
        try projections.update(id) { $0.firstName = "Augusta" }
        #expect(try people.get(id)?.firstName == "Augusta")

        let summaries = people.projections(RealmPage.PersonSummary.self)
        try summaries.update(id) { $0.firstName = "King" }
        let refused = #expect(throws: DaybookError.self) {
            try summaries.update(id) { $0.homeCity = "Ockham" }
        }
        #expect(refused?.code == .invalidArgument)
        let summary = try #require(try summaries.get(id))
        #expect(summary.id == id && summary.firstName == "King")
        #expect(summary.homeCity == "London" && !summary.isSelected)
        try store.close()
    }

    @Test func `Realm's page on a key, an enum, collections and events`() throws {
        let store = try Store(directoryPath: path)
        let dog = RealmPage.Dog()
        dog.size = .large
        dog.tags.insert("good")
        dog.ages["today"] = 3
        try store.box().put(dog)
        let dogs = store.box(for: RealmPage.Dog.self)
        #expect(try dogs.get(key: dog._id)?.size == .large)
        #expect(try dogs.get(key: ObjectId()) == nil)
        let owner = RealmPage.Owner()
        owner.dogs.append(dog)
        try store.box().put(owner)
        #expect(try store.box(for: RealmPage.Owner.self).get(1)?.dogs.ids == [dog.entityId])

        let before = try store.sequence
        let reading = RealmPage.WeatherSensor()
        reading.deviceId = "roof"
        try store.append(reading)
        #expect(try store.sequence == before + 1)
        try store.close()
    }
}
#endif
