import DaybookRealm
import Foundation

// Models for Realm. The extensions contain the code that the macro generates.

enum Mood: String, PersistableEnum { case calm, wild }

class Kennel: EmbeddedObject {
    @Persisted var city = ""
    @Persisted var places: Int?

    convenience init(_ city: String, places: Int? = nil) {
        self.init()
        self.city = city
        self.places = places
    }
}

extension Kennel: Embedded {
    static let entityDescription = EntityDescription(
        "Kennel", [.property("city", String.self), .property("places", Int?.self)])
    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.city = try row.read(0)
        object.places = try row.read(1)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(self.city, at: 0)
        try row.write(self.places, at: 1)
    }
}

class Pet: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var name = ""
    @Persisted(indexed: true) var age: Int
    @Persisted var weight: Double?
    @Persisted var born: Date
    @Persisted var tag: UUID
    @Persisted var price: Decimal128
    @Persisted var photo: Data
    @Persisted var isTame: Bool
    @Persisted var mood: Mood
    @Persisted var dream: Mood?
    @Persisted var kennel: Kennel?
    @Persisted var kennels: List<Kennel>
    @Persisted var nicknames: List<String?>
    @Persisted var scores: MutableSet<Int>
    @Persisted var notes: Map<String, Double?>
    @Persisted var anything: AnyRealmValue
    @Persisted var friends: List<Pet>
    @Persisted(originProperty: "friends") var admirers: LinkingObjects<Pet>
    var notStored = 7

    override class func propertiesMapping() -> [String: String] { ["name": "pet_name"] }

    /// All stored properties, as a string.
    var content: String {
        let places = ([kennel].compactMap { $0 } + kennels).map { "\($0.city) \($0.places ?? -1)" }
        return """
            \(_id) \(name) \(age) \(weight ?? -1) \(born.timeIntervalSince1970) \(tag) \(price)
            \(photo as NSData) \(isTame) \(mood) \(dream?.rawValue ?? "-")
            \(kennel == nil) \(places)
            \(nicknames) \(scores.sorted()) \(notes.sorted { $0.key < $1.key }) \(friends.ids)
            \(anything)
            """
    }
}

extension Pet: Daybook.Entity {
    static let entityDescription = EntityDescription(
        "Pet",
        [
            .property("_id", ObjectId.self, .primaryKey), .property("name", String.self),
            .property("age", Int.self, .index), .property("weight", Double?.self),
            .property("born", Date.self), .property("tag", UUID.self),
            .property("price", Decimal128.self), .property("photo", Data.self),
            .property("isTame", Bool.self), .property("mood", Mood.self),
            .property("dream", Mood?.self), .property("kennel", Kennel?.self),
            .property("kennels", List<Kennel>.self), .property("nicknames", List<String?>.self),
            .property("scores", MutableSet<Int>.self),
            .property("notes", Map<String, Double?>.self), .property("friends", \Pet.friends),
            .property("anything", AnyRealmValue.self),
        ], .mapped(Pet.propertiesMapping()))

    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        object._id = try row.read(0)
        object.name = try row.read(1)
        object.age = try row.read(2)
        object.weight = try row.read(3)
        object.born = try row.read(4)
        object.tag = try row.read(5)
        object.price = try row.read(6)
        object.photo = try row.read(7)
        object.isTame = try row.read(8)
        object.mood = try row.read(9)
        object.dream = try row.read(10)
        object.kennel = try row.read(11)
        object.kennels = try row.read(12)
        object.nicknames = try row.read(13)
        object.scores = try row.read(14)
        object.notes = try row.read(15)
        object.friends = try row.read(16)
        object.anything = try row.read(17)
        return object
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(self._id, at: 0)
        try row.write(self.name, at: 1)
        try row.write(self.age, at: 2)
        try row.write(self.weight, at: 3)
        try row.write(self.born, at: 4)
        try row.write(self.tag, at: 5)
        try row.write(self.price, at: 6)
        try row.write(self.photo, at: 7)
        try row.write(self.isTame, at: 8)
        try row.write(self.mood, at: 9)
        try row.write(self.dream, at: 10)
        try row.write(self.kennel, at: 11)
        try row.write(self.kennels, at: 12)
        try row.write(self.nicknames, at: 13)
        try row.write(self.scores, at: 14)
        try row.write(self.notes, at: 15)
        try row.write(self.friends, at: 16)
        try row.write(self.anything, at: 17)
    }
}

class Barometer: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var millibars: Double
}

extension Barometer: Event {
    static let entityDescription = EntityDescription(
        "Barometer", [.property("_id", ObjectId.self), .property("millibars", Double.self)])
    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object._id = try row.read(0)
        object.millibars = try row.read(1)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(self._id, at: 0)
        try row.write(self.millibars, at: 1)
    }
}

/// A mood as an entity with the enum, and as an entity with raw values.
class MoodKeeper: Object {
    @Persisted var mood: Mood
    @Persisted var dream: Mood?
}

extension MoodKeeper: Daybook.Entity {
    static let entityDescription = EntityDescription(
        "MoodKeeper", [.property("mood", Mood.self), .property("dream", Mood?.self)])
    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        object.mood = try row.read(0)
        object.dream = try row.read(1)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(self.mood, at: 0)
        try row.write(self.dream, at: 1)
    }
}

struct RawMoodKeeper: Entity {
    var entityId: Id = 0
    var mood: String
    var dream: String?

    static let entityDescription = EntityDescription(
        "MoodKeeper", [.property("mood", String.self), .property("dream", String?.self)])
    static func decode(_ row: borrowing RowReader) throws -> RawMoodKeeper {
        RawMoodKeeper(entityId: row.id, mood: try row.read(0), dream: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(mood, at: 0)
        try row.write(dream, at: 1)
    }
}

class LongNamed: Object {
    static let typeName = String(repeating: "Long", count: 30)
    static let propertyName = String(repeating: "longer", count: 30)
    @Persisted var value: Int
}

extension LongNamed: Daybook.Entity {
    static let entityDescription = EntityDescription(
        typeName, [.property(propertyName, Int.self)])
    static func decode(_ row: borrowing RowReader) throws -> Self {
        let object = Self()
        object.entityId = row.id
        object.value = try row.read(0)
        return object
    }
    func encode(into row: inout RowWriter) throws { try row.write(self.value, at: 0) }
}
