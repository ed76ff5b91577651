import Daybook
import Foundation

/// A value that cannot be read.
struct Untouchable: PropertyValue {
    static var propertyType: PropertyType { .string }
    static func read(_ value: borrowing ValueReader) throws -> Untouchable {
        throw Refusal(number: 7)
    }
    func write(to value: inout ValueWriter) throws { "secret".write(to: &value) }
}

struct Harbour: Embedded, Equatable {
    var city = ""
    var berths = 0

    static let entityDescription = EntityDescription(
        "Harbour", [.property("city", String.self), .property("berths", Int.self)])
    static func decode(_ row: borrowing RowReader) throws -> Harbour {
        Harbour(city: try row.read(0), berths: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(city, at: 0)
        try row.write(berths, at: 1)
    }
}

enum Rig: String { case sloop, ketch }

struct Boat: Entity {
    var id: Id = 0
    var name = ""
    var rig = Rig.sloop
    var home: Harbour?
    var first = Harbour()
    var harbours: [Harbour] = []
    var built = Date(timeIntervalSince1970: 0)
    var code = ""
    var isOpen = false
    /// Reading an object throws if it is sealed.
    var seal: Untouchable?

    var title: String { "\(name)!" }

    static let entityDescription = EntityDescription(
        "Boat",
        [
            .property("boat_name", String.self, .declared("name")), .property("rig", Rig.self),
            .property("home", Harbour?.self), .property("first", Harbour.self),
            .property("harbours", [Harbour].self), .nanoseconds("built"),
            .converted("code", to: String.self), .property("isOpen", Bool.self),
            .property("seal", Untouchable?.self),
        ])

    static func decode(_ row: borrowing RowReader) throws -> Boat {
        Boat(
            id: row.id, name: try row.read(0), rig: try row.read(1, default: .ketch),
            home: try row.read(2), first: try row.read(3), harbours: try row.read(4),
            built: try row.readNanoseconds(5),
            code: try row.read(6, converting: String.self) { String($0.reversed()) },
            isOpen: try row.read(7), seal: try row.read(8))
    }

    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(rig, at: 1, default: .ketch)
        try row.write(home, at: 2)
        try row.write(first, at: 3)
        try row.write(harbours, at: 4)
        try row.writeNanoseconds(built, at: 5)
        try row.write(code, at: 6, converting: String.self) { String($0.reversed()) }
        try row.write(isOpen, at: 7)
        try row.write(seal, at: 8)
    }

    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// ``Boat`` in its first version.
struct EarlyBoat: Entity {
    var entityId: Id = 0
    var name: String

    static let entityDescription = EntityDescription(
        "Boat", [.property("boat_name", String.self, .declared("name"))])
    static func decode(_ row: borrowing RowReader) throws -> EarlyBoat {
        EarlyBoat(entityId: row.id, name: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(name, at: 0) }
}

/// A projection of single fields.
struct BoatSummary: EntityProjection, Equatable {
    var id: Id
    var name: String
    var sameName: String
    var caps: String
    var rig: Rig
    var homeCity: String?
    var firstCity: String
    var cities: [String]
    var built: Date

    static func decode(_ row: borrowing ProjectionReader<Boat>) throws -> BoatSummary {
        BoatSummary(
            id: row.id, name: try row.read(\.name, named: "name"),
            sameName: try row.read(\.name, named: "name"),
            caps: try row.read(\.name, named: "name").uppercased(),
            rig: try row.read(\.rig, named: "rig"),
            homeCity: try row.read(\.home, named: "home")?.city,
            firstCity: try row.read(\.first, named: "first").city,
            cities: try row.read(\.harbours, named: "harbours").projectTo.city,
            built: try row.read(\.built, named: "built"))
    }

    static var projectedProperties: [String]? {
        ["name", "rig", "home", "first", "harbours", "built"]
    }

    func apply(to root: inout Boat) throws {
        var changes = ProjectedChanges(of: root)
        try changes.note(name, at: \.name, named: "name")
        try changes.note(sameName, at: \.name, named: "sameName")
        try changes.note(caps, at: \.name.localizedCaps, named: "caps")
        try changes.note(rig, at: \.rig, named: "rig")
        try changes.note(homeCity, at: \.home?.city, named: "homeCity")
        try changes.note(firstCity, at: \.first.city, named: "firstCity")
        try changes.note(cities, at: \.harbours.projectTo.city, named: "cities")
        try changes.note(built, at: \.built, named: "built")
        changes.make(in: &root)
    }
}

extension String {
    fileprivate var localizedCaps: String { uppercased() }
}

/// A projection that needs the whole object.
struct BoatWhole: EntityProjection, Equatable {
    var title: String
    var code: String

    static func decode(_ row: borrowing ProjectionReader<Boat>) throws -> BoatWhole {
        BoatWhole(
            title: try row.read(\.title, named: "title"), code: try row.read(\.code, named: "code"))
    }
    func apply(to root: inout Boat) throws {
        var changes = ProjectedChanges(of: root)
        try changes.note(code, at: \.code, named: "code")
        changes.make(in: &root)
    }
}

/// A projection of an embedded value.
struct Town: EntityProjection {
    var name: String

    init(projecting root: Harbour) { name = root.city }

    static func decode(_ row: borrowing ProjectionReader<Harbour>) throws -> Town {
        throw Refusal()
    }
    func apply(to root: inout Harbour) throws {
        var changes = ProjectedChanges(of: root)
        try changes.note(name, at: \.city, named: "name")
        changes.make(in: &root)
    }
}
