@testable import Daybook
import DaybookEngine
@testable import DaybookRealm
import DaybookRecords
import DaybookTestSupport
import Foundation
import Testing

@Suite struct RealmObjectTests {
    private func fullPet() throws -> Pet {
        let pet = Pet()
        pet.name = "Rex"
        pet.age = -3
        pet.weight = 12.5
        pet.born = Date(timeIntervalSince1970: 1_000_000_000.125)
        pet.price = try #require(Decimal(string: "-12345678901234567890.123456789"))
        pet.photo = Data([0, 255, 7])
        pet.isTame = true
        pet.mood = .wild
        pet.dream = .calm
        pet.kennel = Kennel("Paris", places: 2)
        pet.kennels = [Kennel("Rome"), Kennel("", places: 0)]
        pet.nicknames = ["a", nil, ""]
        pet.scores = [3, 1, 2]
        pet.notes = ["x": 1.5, "y": nil, "": 0]
        pet.anything = .list([.none, .double(0.1), .dictionary(["a": .data(Data([1]))])])
        return pet
    }

    @Test func `Realm's objects are unchanged immediately, reopened, compacted and replayed`()
        throws
    {
        let directory = TemporaryDirectory()
        var store = try Store(directory: directory.url, entities: Pet.self)
        let plain = Pet()
        plain.born = Date(timeIntervalSince1970: 5)
        let full = try fullPet()
        try store.box(for: Pet.self).put([plain, full])
        full.friends.append(plain)
        full.friends.append(objectsIn: [full, plain])
        try store.box(for: Pet.self).put(full)
        #expect(plain.entityId == 1 && full.entityId == 2)
        let expected = [plain.content, full.content]
        func reopen() throws {
            try store.close()
            store = try Store(directory: directory.url, entities: Pet.self)
        }
        func check(_ moment: Comment) throws {
            let found = try store.box(for: Pet.self).all()
            #expect(found.map(\.content) == expected, moment)
            #expect(found.map(\.entityId) == [1, 2])
        }
        try check("at once")
        try reopen()
        try check("reopened")
        _ = try store.engine.compact(.all, sealsActive: true)
        try check("compacted")
        _ = try store.engine.compact(.latest)
        try reopen()
        try check("without history")
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `properties without an initial value have the default of their type`() {
        let pet = Pet()
        let other = Pet()
        #expect(pet.entityId == 0 && pet.name == "" && pet.age == 0 && pet.weight == nil)
        #expect(abs(pet.born.timeIntervalSinceNow) < 60)
        #expect(pet._id != other._id && pet.tag != other.tag)
        #expect(pet.price == 0 && pet.photo.isEmpty && !pet.isTame)
        #expect(pet.mood == .calm && pet.dream == nil && pet.kennel == nil)
        #expect(pet.kennels.isEmpty && pet.nicknames.isEmpty && pet.scores.isEmpty)
        #expect(pet.notes.isEmpty && pet.friends.isEmpty && pet.anything == .none)
        #expect(pet.admirers.originProperty == "friends")
        other.nicknames.append("x")
        #expect(pet.nicknames.isEmpty)
    }

    @Test func `stored names are those of the mapping, and the Swift names are remembered`() throws
    {
        let properties = Pet.entityDescription.properties
        #expect(properties[1].name == "pet_name" && properties[1].declaredName == "name")
        #expect(properties[2].name == "age" && properties[2].declaredName == "age")
        let renamed = PropertyDescription.property("a", Int.self, .declared("b"))
        #expect(renamed.name == "a" && renamed.declaredName == "b")
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Pet.self)
        let layout = try store.box(for: Pet.self).binding().layout.layout
        #expect(layout.fields[1].name == "pet_name")
        try store.close()
    }

    @Test func `an embedded object is copied into each object that holds it`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Pet.self)
        let box = store.box(for: Pet.self)
        let (one, other) = (Pet(), Pet())
        let kennel = Kennel("Paris")
        one.kennel = kennel
        other.kennel = kennel
        try box.put([one, other])
        kennel.city = "Rome"
        try box.put(one)
        #expect(try box.all().map { $0.kennel?.city } == ["Rome", "Paris"])
        try store.close()
    }

    @Test func `a list of objects keeps their order, and a put stores new elements`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Pet.self)
        let box = store.box(for: Pet.self)
        let (pet, friend, stranger) = (Pet(), Pet(), Pet())
        try box.put(pet)
        try box.put(friend)
        pet.friends = [friend, stranger]
        #expect(pet.friends.ids == [2, 0])
        try box.put(pet)
        #expect(stranger.entityId == 3 && pet.friends.ids == [2, 3])
        let found = try #require(try box.get(1))
        #expect(found.friends.ids == [2, 3] && found.friends.count == 2)
        found.friends.move(from: 0, to: 1)
        found.friends.insert(pet, at: 0)
        found.friends.append(friend)
        found.friends.remove(at: 1)
        try box.put(found)
        #expect(try box.get(1)?.friends.ids == [1, 2, 2])
        #expect(try box.get(1)?.friends.map(\.entityId) == [1, 2, 2])
        found.friends.removeAll()
        #expect(found.friends.isEmpty)
        try store.close()
    }

    @Test func `a raw value of a later release is read as nil or the first case, and stays`() throws
    {
        let directory = TemporaryDirectory()
        var store = try Store(directory: directory.url, entities: RawMoodKeeper.self)
        try store.box(for: RawMoodKeeper.self).put([
            RawMoodKeeper(mood: "feral", dream: "feral"), RawMoodKeeper(mood: "wild", dream: nil),
        ])
        try store.close()
        store = try Store(directory: directory.url, entities: MoodKeeper.self)
        let box = store.box(for: MoodKeeper.self)
        let found = try box.all()
        #expect(found.map(\.mood) == [.calm, .wild] && found.map(\.dream) == [nil, nil])
        try box.put(found)
        try store.close()
        store = try Store(directory: directory.url, entities: RawMoodKeeper.self)
        let raw = try store.box(for: RawMoodKeeper.self).all()
        #expect(raw.map(\.mood) == ["feral", "wild"] && raw.map(\.dream) == ["feral", nil])
        try store.close()
    }

    @Test func `keys of a map with a dot, or a dollar in front, are refused by name`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Pet.self)
        let box = store.box(for: Pet.self)
        for key in ["a.b", ".", "$", "$a"] {
            let pet = Pet()
            pet.notes[key] = 1
            let error = expectError(.invalidValue) { try box.put(pet) }
            #expect(error?.details["property"] == "notes" && error?.details["key"] == key)
        }
        let pet = Pet()
        pet.notes = ["a$": 1]
        try box.put(pet)
        #expect(try box.count() == 1)
        try store.close()
    }

    @Test func `names may be longer than Realm's`() throws {
        #expect(LongNamed.typeName.utf8.count > 57 && LongNamed.propertyName.utf8.count > 63)
        let directory = TemporaryDirectory()
        var store = try Store(directory: directory.url, entities: LongNamed.self)
        let object = LongNamed()
        object.value = 7
        try store.box(for: LongNamed.self).put(object)
        try store.close()
        store = try Store(directory: directory.url, entities: LongNamed.self)
        #expect(try store.box(for: LongNamed.self).get(1)?.value == 7)
        try store.close()
    }

    @Test func `an asymmetric object is an event`() throws {
        #expect(EntityDescription.kind(of: Barometer.self) == .event)
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Barometer.self)
        try store.close()
    }

    @Test func `a subclass that the store does not know is an error, not its base class`() throws {
        final class Puppy: Pet {}
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Pet.self)
        expectError(.entityNotRegistered) { try store.box(for: Puppy.self).put(Puppy()) }
        try store.close()
    }
}

extension EntityDescription {
    fileprivate static func kind(of type: any Storable.Type) -> EntityKind { EntityKind(of: type) }
}
