import Daybook
import Foundation

/// An entity with a key, values of most kinds, and relations.
struct Contact: Entity, Sendable, Equatable {
    var id: Id = 0
    var email = ""
    var name: String?
    var age = 0
    var weight: Float = 0
    var born = Date(timeIntervalSince1970: 0)
    var price = Decimal(0)
    var token = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var picture = Data()
    var tags: [String] = []
    var colors: Set<String> = []
    var scores: [String: Double] = [:]
    var address: Home?
    var isActive = false
    var boss: Reference<Contact> = nil
    var friends: References<Contact> = nil

    static let entityDescription = EntityDescription(
        "Contact",
        [
            .property("email", String.self, .primaryKey), .property("name", String?.self),
            .property("age", Int.self, .index), .property("weight", Float.self),
            .property("born", Date.self), .property("price", Decimal.self),
            .property("token", UUID.self), .property("picture", Data.self),
            .property("tags", [String].self), .property("colors", Set<String>.self),
            .property("scores", [String: Double].self), .property("address", Home?.self),
            .property("isActive", Bool.self), .property("boss", Reference<Contact>.self),
            .property("friends", References<Contact>.self),
        ], .assignableIds)
    static func decode(_ row: borrowing RowReader) throws -> Contact {
        Contact(
            id: row.id, email: try row.read(0), name: try row.read(1), age: try row.read(2),
            weight: try row.read(3), born: try row.read(4), price: try row.read(5),
            token: try row.read(6), picture: try row.read(7), tags: try row.read(8),
            colors: try row.read(9), scores: try row.read(10), address: try row.read(11),
            isActive: try row.read(12), boss: try row.read(13), friends: try row.read(14))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(email, at: 0)
        try row.write(name, at: 1)
        try row.write(age, at: 2)
        try row.write(weight, at: 3)
        try row.write(born, at: 4)
        try row.write(price, at: 5)
        try row.write(token, at: 6)
        try row.write(picture, at: 7)
        try row.write(tags, at: 8)
        try row.write(colors, at: 9)
        try row.write(scores, at: 10)
        try row.write(address, at: 11)
        try row.write(isActive, at: 12)
        try row.write(boss, at: 13)
        try row.write(friends, at: 14)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }

    static let ann = Contact(
        id: 1, email: "ann@x", name: "Ann, \"A\"\nB", age: 31, weight: 0.1,
        born: Date(timeIntervalSince1970: 1_000_000.25), price: Decimal(string: "12.50") ?? 0,
        token: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
        picture: Data([0, 255]), tags: ["a", "", "c,d"], colors: ["red", "blue"],
        scores: ["x": 0.5, "y": -1], address: Home(city: "Oslo", place: Spot(), tags: ["t"]),
        isActive: true, friends: [2, 3])
    static let bob = Contact(
        id: 2, email: "bob@x", name: "", age: 40, boss: Reference(targetId: 1), friends: [1])
    static let cat = Contact(id: 3, email: "cat@x", age: -7, boss: Reference(targetId: 2))
}

struct Spot: Embedded, Hashable {
    var latitude = 0.0
    var longitude = 0.0

    static let entityDescription = EntityDescription(
        "Spot", [.property("latitude", Double.self), .property("longitude", Double.self)])
    static func decode(_ row: borrowing RowReader) throws -> Spot {
        Spot(latitude: try row.read(0), longitude: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(latitude, at: 0)
        try row.write(longitude, at: 1)
    }
}

struct Home: Embedded, Hashable {
    var city = ""
    var place: Spot?
    var tags: [String] = []

    static let entityDescription = EntityDescription(
        "Home",
        [
            .property("city", String.self), .property("place", Spot?.self),
            .property("tags", [String].self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Home {
        Home(city: try row.read(0), place: try row.read(1), tags: try row.read(2))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(city, at: 0)
        try row.write(place, at: 1)
        try row.write(tags, at: 2)
    }
}

/// An entity without a key.
struct Note: Entity, Equatable {
    var id: Id = 0
    var text: String
    var stars: Int?

    static let entityDescription = EntityDescription(
        "Note", [.property("text", String.self), .property("stars", Int?.self)])
    static func decode(_ row: borrowing RowReader) throws -> Note {
        Note(id: row.id, text: try row.read(0), stars: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(text, at: 0)
        try row.write(stars, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// An entity with a unique property that is not its key, and values of the other kinds.
struct Badge: Entity, Equatable {
    var id: Id = 0
    var code = ""
    var made: NanosecondDate?
    var extra: [String: [Int]] = [:]
    var samples: [Float?] = []
    var number: UInt64 = 0
    var isUsed: Bool?
    var homes: [Home] = []

    static let entityDescription = EntityDescription(
        "Badge",
        [
            .property("code", String.self, .unique), .nanoseconds("made"), .encoded("extra"),
            .property("samples", [Float?].self), .property("number", UInt64.self),
            .property("isUsed", Bool?.self), .property("homes", [Home].self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Badge {
        Badge(
            id: row.id, code: try row.read(0), made: try row.read(1),
            extra: try row.readEncoded(2), samples: try row.read(3), number: try row.read(4),
            isUsed: try row.read(5), homes: try row.read(6))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(code, at: 0)
        try row.write(made, at: 1)
        try row.writeEncoded(extra, at: 2)
        try row.write(samples, at: 3)
        try row.write(number, at: 4)
        try row.write(isUsed, at: 5)
        try row.write(homes, at: 6)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// `Note` in a program that does not declare its stars.
struct ShortNote: Entity {
    var id: Id = 0
    var text = ""

    static let entityDescription = EntityDescription("Note", [.property("text", String.self)])
    static func decode(_ row: borrowing RowReader) throws -> ShortNote {
        ShortNote(id: row.id, text: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(text, at: 0) }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

extension Store {
    /// A store in a directory with three contacts.
    static func withContacts(_ path: String) throws -> Store {
        let store = try Store(path: path, entities: [Contact.self, Home.self, Spot.self])
        // The first put gives the targets their ids.
        let contacts = store.box(for: Contact.self)
        try store.write {
            for id in 1...3 { try contacts.put(Contact(id: Id(id), email: "\(id)")) }
            try contacts.removeAll()
            for contact in [Contact.ann, .bob, .cat] {
                var alone = contact
                (alone.boss, alone.friends) = (nil, nil)
                try contacts.put(alone)
            }
            try contacts.put([Contact.ann, .bob, .cat])
        }
        return store
    }
}
