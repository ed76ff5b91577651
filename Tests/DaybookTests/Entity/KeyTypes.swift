import Daybook

// Entities with keys and constraints, with the code that the macro generates.

/// Identified by its code; it has no id property.
struct Country: Entity, Equatable {
    var code: String
    var name = ""
    var role = Role.none

    static let entityDescription = EntityDescription(
        "Country",
        [
            .property("name", String.self), .property("code", String.self, .primaryKey),
            .property("role", Role.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Country {
        Country(
            code: try row.read(1), name: try row.read(0), role: try row.read(2, default: .none))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(code, at: 1)
        try row.write(role, at: 2, default: .none)
    }
    var entityId: Id {
        get { 0 }
        nonmutating set {}
    }
}

/// `Country` in a program that knows fewer roles.
struct EarlierCountry: Entity, Equatable {
    var code: String
    var name = ""
    var role = EarlierRole.none

    static let entityDescription = EntityDescription(
        "Country",
        [
            .property("name", String.self), .property("code", String.self, .primaryKey),
            .property("role", EarlierRole.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> EarlierCountry {
        EarlierCountry(
            code: try row.read(1), name: try row.read(0), role: try row.read(2, default: .none))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(code, at: 1)
        try row.write(role, at: 2, default: .none)
    }
    var entityId: Id {
        get { 0 }
        nonmutating set {}
    }
}

/// `Country` before it had a key.
struct PlainCountry: Entity {
    var entityId: Id = 0
    var code: String
    static let entityDescription = EntityDescription(
        "Country", [.property("code", String.self)])
    static func decode(_ row: borrowing RowReader) throws -> PlainCountry {
        PlainCountry(entityId: row.id, code: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(code, at: 0) }
}

/// Identified by tenant and number together, in another order than that of the properties.
struct Invoice: Entity, Equatable {
    var id: Id = 0
    var number: Int
    var tenant: String
    var total = 0.0

    static let entityDescription = EntityDescription(
        "Invoice",
        [
            .property("number", Int.self), .property("tenant", String.self),
            .property("total", Double.self),
        ], .primaryKey("tenant", "number"))
    static func decode(_ row: borrowing RowReader) throws -> Invoice {
        Invoice(
            id: row.id, number: try row.read(0), tenant: try row.read(1), total: try row.read(2))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(number, at: 0)
        try row.write(tenant, at: 1)
        try row.write(total, at: 2)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// One unique property with each conflict rule, and two that are unique together.
final class Account: Entity {
    var id: Id = 0
    var strict: String?
    var replacing: Int?
    var updating: String?
    var ignoring: Int?
    var street = ""
    var door: Int?

    init() {}

    static let entityDescription = EntityDescription(
        "Account",
        [
            .property("strict", String?.self, .unique),
            .property("replacing", Int?.self, .unique(onConflict: .replace)),
            .property("updating", String?.self, .unique(onConflict: .update)),
            .property("ignoring", Int?.self, .unique(onConflict: .ignore)),
            .property("street", String.self, .index), .property("door", Int?.self),
        ], .unique("street", "door"))
    static func decode(_ row: borrowing RowReader) throws -> Account {
        let object = Account()
        object.id = row.id
        object.strict = try row.read(0)
        object.replacing = try row.read(1)
        object.updating = try row.read(2)
        object.ignoring = try row.read(3)
        object.street = try row.read(4)
        object.door = try row.read(5)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(strict, at: 0)
        try row.write(replacing, at: 1)
        try row.write(updating, at: 2)
        try row.write(ignoring, at: 3)
        try row.write(street, at: 4)
        try row.write(door, at: 5)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

/// An event.
struct Reading: Event, Equatable {
    var device: String
    var celsius: Double

    static let entityDescription = EntityDescription(
        "Reading", [.property("device", String.self), .property("celsius", Double.self)])
    static func decode(_ row: borrowing RowReader) throws -> Reading {
        Reading(device: try row.read(0), celsius: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(device, at: 0)
        try row.write(celsius, at: 1)
    }
}
