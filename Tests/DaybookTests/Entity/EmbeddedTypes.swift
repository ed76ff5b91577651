import Daybook
import Foundation

// Embedded types with the code that the macro generates.

struct Place: Embedded, Hashable {
    var latitude = 0.0
    var longitude = 0.0

    static let entityDescription = EntityDescription(
        "Place", [.property("latitude", Double.self), .property("longitude", Double.self)])
    static func decode(_ row: borrowing RowReader) throws -> Place {
        Place(latitude: try row.read(0), longitude: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(latitude, at: 0)
        try row.write(longitude, at: 1)
    }
}

struct Address: Embedded, Hashable {
    var city = ""
    var place: Place?
    var tags: [String] = []

    static let entityDescription = EntityDescription(
        "Address",
        [
            .property("city", String.self), .property("place", Place?.self),
            .property("tags", [String].self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Address {
        Address(city: try row.read(0), place: try row.read(1), tags: try row.read(2))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(city, at: 0)
        try row.write(place, at: 1)
        try row.write(tags, at: 2)
    }
}

/// `Address` in a later release: one property removed, one added, another order.
struct LaterAddress: Embedded, Hashable {
    var country: String?
    var city = ""
    var place = Place()

    static let entityDescription = EntityDescription(
        "Address",
        [
            .property("country", String?.self), .property("city", String.self),
            .property("place", Place.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> LaterAddress {
        LaterAddress(country: try row.read(0), city: try row.read(1), place: try row.read(2))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(country, at: 0)
        try row.write(city, at: 1)
        try row.write(place, at: 2)
    }
}

/// `Address` with a property of another type, under its old name.
struct RetypedAddress: Embedded, Hashable {
    var city = 0

    static let entityDescription = EntityDescription("Address", [.property("city", Int.self)])
    static func decode(_ row: borrowing RowReader) throws -> RetypedAddress {
        RetypedAddress(city: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(city, at: 0) }
}

/// `Address` with a property of another type, under a new name.
struct RenamedAddress: Embedded, Hashable {
    var city = ""
    var cityNumber = 0

    static let entityDescription = EntityDescription(
        "Address", [.property("city", String.self), .property("cityNumber", Int.self)])
    static func decode(_ row: borrowing RowReader) throws -> RenamedAddress {
        RenamedAddress(city: try row.read(0), cityNumber: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(city, at: 0)
        try row.write(cityNumber, at: 1)
    }
}

/// A type that contains itself.
struct Branch: Embedded, Hashable {
    var name = ""
    var branches: [Branch] = []

    static let entityDescription = EntityDescription(
        "Branch", [.property("name", String.self), .property("branches", [Branch].self)])
    static func decode(_ row: borrowing RowReader) throws -> Branch {
        Branch(name: try row.read(0), branches: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(branches, at: 1)
    }
}
