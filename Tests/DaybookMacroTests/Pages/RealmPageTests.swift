#if Macros
import DaybookRealm
import Foundation
import Testing

/// The models of Realm's page in real stores.
@Suite struct RealmPageTests {
    private let directory = TemporaryDirectory()

    @Test func `stored names are those of propertiesMapping`() throws {
        #expect(
            RealmPage.Person.entityDescription.properties.map(\.name)
                == ["first_name", "last_name"])
        var store = try Store(directory: directory.url, entities: RealmPage.Person.self)
        let person = RealmPage.Person()
        person.firstName = "Ada"
        let id = try store.box().put(person)
        try store.close()
        store = try Store(directory: directory.url, entities: RealmPage.Person.self)
        #expect(try store.box(for: RealmPage.Person.self).get(id)?.firstName == "Ada")
        try store.close()
    }

    @Test func `embedded objects, lists of objects and ignored properties`() throws {
        let store = try Store(directory: directory.url, entities: PagePerson.self)
        let box = store.box(for: PagePerson.self)
        let friend = PagePerson()
        friend.firstName = "Grace"
        try box.put(friend)
        let person = PagePerson()
        person.firstName = "Ada"
        person.address = RealmPage.Projections.Address()
        person.address?.city = "London"
        person.ignored = "gone"
        person.friends.append(friend)
        let id = try box.put(person)
        let found = try #require(try box.get(id))
        #expect(found.firstName == "Ada" && found.address?.city == "London")
        #expect(found.ignored == "not stored")
        #expect(found.friends.ids == [friend.entityId])
        let projection = try #require(try box.projections(PersonProjection.self).get(id))
        #expect(projection.firstName == "Ada")
        #expect(projection.homeCity == "London")
        #expect(projection.firstFriendsName == ["Grace"])
        try store.close()
    }

    @Test func `a primary key of ObjectId, an enum, and collections`() throws {
        var store = try Store(
            directory: directory.url, entities: RealmPage.Dog.self, RealmPage.Owner.self)
        let dog = RealmPage.Dog()
        dog.name = "Rex"
        dog.size = .large
        dog.tags.insert("good")
        dog.ages["today"] = 3
        try store.box().put(dog)
        let owner = RealmPage.Owner()
        owner.dogs.append(dog)
        try store.box().put(owner)
        try store.close()
        store = try Store(
            directory: directory.url, entities: RealmPage.Dog.self, RealmPage.Owner.self)
        let dogs = store.box(for: RealmPage.Dog.self)
        let found = try #require(try dogs.get(key: dog._id))
        #expect(found.name == "Rex" && found.size == .large && found.breed == nil)
        #expect(found.tags.contains("good") && found.ages["today"] == 3)
        #expect(try store.box(for: RealmPage.Owner.self).get(1)?.dogs.ids == [found.entityId])
        #expect(throws: DaybookError.self) {
            try dogs.put(RealmPage.Dog(keyOf: found), update: .error)
        }
        #expect(try dogs.put(RealmPage.Dog(keyOf: found), update: .modified) == found.entityId)
        #expect(try dogs.count() == 1)
        try store.close()
    }

    @Test func `an asymmetric object can only be appended`() throws {
        let store = try Store(directory: directory.url, entities: RealmPage.WeatherSensor.self)
        let reading = RealmPage.WeatherSensor()
        reading.deviceId = "roof"
        reading.temperatureInFahrenheit = 71.5
        try store.append(reading)
        #expect(try store.sequence == 2)
        #expect(!(RealmPage.WeatherSensor.self is any Entity.Type))
        try store.close()
    }
}

extension RealmPage.Dog {
    /// Another dog with the same key.
    fileprivate convenience init(keyOf other: RealmPage.Dog) {
        self.init()
        _id = other._id
    }
}
#endif
