#if Macros
import DaybookRealm
import Foundation
import Testing

/// Realm's relations without macros, in a store with all entities of this target.
@Suite struct RealmRelationTests {
    private typealias Walker = RealmRelations.Walker
    private typealias Terrier = RealmRelations.Terrier

    private let realm: Realm

    init() throws { realm = try Realm(directoryPath: "memory:relations-\(UUID().uuidString)") }

    private func person(_ name: String) -> Walker {
        let person = Walker()
        person.name = name
        return person
    }

    private func dog(_ name: String, _ age: Int) -> Terrier {
        let dog = Terrier()
        (dog.name, dog.age) = (name, age)
        return dog
    }

    @Test func `links, lists, sets and linking objects of a graph are stored by one add`() throws {
        let (ada, bob, rex) = (person("Ada"), person("Bob"), dog("Rex", 3))
        ada.address = RealmRelations.Lodging()
        ada.address?.city = "London"
        ada.bestFriend = bob
        bob.bestFriend = ada
        ada.friends.insert(objectsIn: [ada, bob])
        (rex.owner, rex.coat) = (ada, .long)
        ada.dogs.append(rex)
        try realm.write { try realm.add(ada) }

        let found = try #require(try realm.object(ofType: Walker.self, forPrimaryKey: ada._id))
        #expect(found.bestFriend?.name == "Bob" && found.address?.city == "London")
        #expect(found.bestFriend?.bestFriend?.name == "Ada")
        #expect(Set(found.friends.map(\.name)) == ["Ada", "Bob"])
        #expect(found.dogs.first?.owner?.name == "Ada" && found.dogs.first?.coat == .long)
        #expect(found.owned.map(\.name) == ["Rex"] && found.admirers.map(\.name) == ["Ada"])
        #expect(found.dogs.first?.keepers.map(\.name) == ["Ada"])
        #expect(try found.$bestFriend.link.get()?.name == "Bob")

        try realm.delete(bob)
        let after = try #require(try realm.object(ofType: Walker.self, forPrimaryKey: ada._id))
        #expect(after.bestFriend == nil && after.friends.map(\.name) == ["Ada"])
        try realm.close()
    }

    @Test func `constants and functions of older declarations work without macros`() throws {
        typealias Spaniel = RealmRelations.Spaniel
        let (ada, bob) = (Spaniel(), Spaniel())
        (ada.tag, bob.tag, ada.draft) = ("ada", "bob", "draft")
        ada.age.value = 3
        ada.friends.append(bob)
        ada.byPlace["home"] = bob
        try realm.add(ada)
        let found = try #require(try realm.object(ofType: Spaniel.self, forPrimaryKey: "ada"))
        #expect(found.age.value == 3 && found.draft.isEmpty)
        #expect(found.byPlace["home"]??.admirers.map(\.tag) == ["ada"])
        #expect(try realm.objects(Spaniel.self).where { $0.age == 3 }.count() == 1)
        try realm.close()
    }

    @Test func `conditions follow the links of models without macros`() throws {
        let (ada, bob) = (person("Ada"), person("Bob"))
        (ada.bestFriend, ada.dogs) = (bob, [dog("Rex", 3), dog("Max", 9)])
        ada.friends.insert(bob)
        try realm.add(ada)
        let people = realm.objects(Walker.self)
        #expect(try people.where { $0.bestFriend.name == "Bob" }.find().map(\.name) == ["Ada"])
        #expect(try people.where { $0.dogs.age > 8 && $0.dogs.name == "Rex" }.count() == 1)
        #expect(try people.where { $0.friends.name == "Bob" }.count() == 1)
        #expect(try people.where { $0.admirers.name == "Ada" }.find().map(\.name) == ["Bob"])
        #expect(try people.where { $0.bestFriend == nil }.find().map(\.name) == ["Bob"])
        try realm.close()
    }

    @Test func `projections read links and sets of objects`() throws {
        let (ada, bob, carl) = (person("Ada"), person("Bob"), person("Carl"))
        (ada.bestFriend, ada.dogs) = (bob, [dog("Rex", 3), dog("Max", 9)])
        ada.friends.insert(objectsIn: [bob, carl])
        try realm.add(ada)
        let projections = realm.box(for: Walker.self).projections(
            RealmRelations.WalkerProjection.self)
        let found = try #require(try projections.get(ada.entityId))
        #expect(found.name == "Ada" && found.friendName == "Bob" && found.dogAges == [3, 9])
        #expect(found.friendNames.sorted() == ["Bob", "Carl"])
        #expect(try projections.get(bob.entityId)?.friendName == nil)
        try realm.close()
    }

    @Test func `a projection of an embedded object is made from the object`() throws {
        let lodging = RealmRelations.Lodging()
        lodging.city = "Oslo"
        let projection = RealmRelations.TownProjection(projecting: lodging)
        #expect(projection.town == "Oslo" && projection.length == 4)
        projection.town = "Rome"
        var changed = lodging
        try projection.apply(to: &changed)
        #expect(changed.city == "Rome")
        projection.length = 9
        #expect(throws: DaybookError.self) { try projection.apply(to: &changed) }
    }

    @Test func `a projection reports changes of its properties only`() async throws {
        typealias Excerpt = RealmRelations.WalkerProjection
        let (ada, bob) = (person("Ada"), person("Bob"))
        try realm.add([ada, bob])
        let own = Excerpt(projecting: ada)
        #expect(own.name == "Ada" && own.id == ada.entityId)
        let query = realm.objects(Walker.self).where { $0.name == "Ada" }
        var updates = query.updates(as: Excerpt.self).makeAsyncIterator()
        #expect(try await updates.next()?.objects.map(\.name) == ["Ada"])
        ada.address = RealmRelations.Lodging()
        try await realm.box(for: Walker.self).put(ada)
        ada.bestFriend = bob
        try await realm.box(for: Walker.self).put(ada)
        let update = try await updates.next()
        #expect(update?.objects.map(\.friendName) == ["Bob"])
        try await realm.close()
    }

    @Test func `an asymmetric object links to objects, lists and sets of objects`() async throws {
        typealias Walk = RealmRelations.WalkEvent
        var commits = realm.changes(of: [Walk.self]).makeAsyncIterator()
        let (ada, bob, rex, max) = (person("Ada"), person("Bob"), dog("Rex", 3), dog("Max", 9))
        let walk = Walk()
        (walk.minutes, walk.walker) = (20, ada)
        walk.dogs.append(objectsIn: [max, rex, max])
        walk.met.insert(bob)
        try await realm.append(walk)
        #expect(try await realm.objects(Terrier.self).count() == 2)
        try realm.create(Walk.self, value: ["walker": bob, "dogs": [rex, dog("Fox", 1)]])
        let count = try await realm.objects(Walker.self).count()
        let error = #expect(throws: DaybookError.self) {
            try realm.create(Walk.self, value: ["walker": [bob, person("Eve")]])
        }
        #expect(error?.details["property"] == "walker")
        #expect(try await realm.objects(Walker.self).count() == count)
        let first = try #require(try await commits.next()?.events(of: Walk.self).first)
        #expect(first.minutes == 20 && first.walker?.name == "Ada")
        #expect(first.dogs.map(\.name) == ["Max", "Rex", "Max"])
        #expect(first.met.map(\.name) == ["Bob"] && first.met.ids == [bob.entityId])
        let second = try #require(try await commits.next()?.events(of: Walk.self).first)
        #expect(second.walker?.name == "Bob" && second.dogs.map(\.name) == ["Rex", "Fox"])
        try realm.delete(rex)
        second.dogs.reset()
        #expect(second.dogs.ids.first == rex.entityId && second.dogs.map(\.name) == ["Fox"])
        try await realm.close()
    }

    @Test func `an asymmetric object contains embedded objects`() async throws {
        var commits = realm.changes(of: [RealmRelations.RainReading.self]).makeAsyncIterator()
        let reading = RealmRelations.RainReading()
        reading.place = RealmRelations.Lodging()
        reading.place?.city = "Oslo"
        reading.places = [RealmRelations.Lodging()]
        try await realm.append(reading)
        try realm.create(
            RealmRelations.RainReading.self,
            value: ["place": ["city": "Bonn"], "places": [["city": "Rome"], ["city": "Bern"]]])
        let first = try await commits.next()?.events(of: RealmRelations.RainReading.self).first
        #expect(first?.place?.city == "Oslo" && first?.places.count == 1)
        #expect(first?._id == reading._id)
        let second = try await commits.next()?.events(of: RealmRelations.RainReading.self).first
        #expect(second?.place?.city == "Bonn" && second?.places.map(\.city) == ["Rome", "Bern"])
        try await realm.close()
    }
}
#endif
