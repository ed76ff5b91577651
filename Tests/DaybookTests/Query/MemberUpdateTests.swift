@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

private struct Street: Embedded, Equatable {
    var name: String
    var number: Int?

    static let entityDescription = EntityDescription(
        "Street", [.property("name", String.self), .property("number", Int?.self)])
    static func decode(_ row: borrowing RowReader) throws -> Street {
        Street(name: try row.read(0), number: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(number, at: 1)
    }

    static var name: Property<Street, String> { Property("name") }
    static var number: Property<Street, Int?> { Property("number") }
}

private struct Flat: Embedded, Equatable {
    var city: String
    var floor = 0
    var street: Street
    var other: Street?

    static let entityDescription = EntityDescription(
        "Flat",
        [
            .property("city", String.self), .property("floor", Int.self),
            .property("street", Street.self), .property("other", Street?.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Flat {
        Flat(
            city: try row.read(0), floor: try row.read(1), street: try row.read(2),
            other: try row.read(3))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(city, at: 0)
        try row.write(floor, at: 1)
        try row.write(street, at: 2)
        try row.write(other, at: 3)
    }

    static var city: Property<Flat, String> { Property("city") }
    static var floor: Property<Flat, Int> { Property("floor") }
    static var street: Property<Flat, Street> { Property("street") }
    static var other: Property<Flat, Street?> { Property("other") }
}

private struct Tenant: Entity, Equatable {
    var id: Id = 0
    var name = ""
    var home: Flat
    var work: Flat?

    static let entityDescription = EntityDescription(
        "Tenant",
        [
            .property("name", String.self), .property("home", Flat.self),
            .property("work", Flat?.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Tenant {
        Tenant(
            id: row.id, name: try row.read(0), home: try row.read(1), work: try row.read(2))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(name, at: 0)
        try row.write(home, at: 1)
        try row.write(work, at: 2)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }

    static var name: Property<Tenant, String> { Property("name") }
    static var home: Property<Tenant, Flat> { Property("home") }
    static var work: Property<Tenant, Flat?> { Property("work") }
}

/// `query.update { $0.home.city = … }`.
@Suite struct MemberUpdateTests {
    private let store: Store
    private let tenants: Box<Tenant>

    private static let ulm = Flat(city: "Ulm", floor: 2, street: Street(name: "Weg", number: 7))
    private static let bonn = Flat(
        city: "Bonn", street: Street(name: "Platz", number: nil),
        other: Street(name: "Allee", number: 1))

    init() throws {
        store = try Store(
            directoryPath: "memory:members-\(UUID().uuidString)", entities: Tenant.self)
        tenants = store.box()
        try tenants.put([
            Tenant(name: "Ada", home: Self.ulm, work: Self.bonn),
            Tenant(name: "Bob", home: Self.bonn, work: nil),
        ])
    }

    /// Expects that an update and a change of the objects have the same result.
    private func check(
        _ update: (inout PropertyAssignments<Tenant>) throws -> Void,
        _ change: (inout Tenant) -> Void
    ) throws {
        let before = try tenants.all()
        let expected = before.map { tenant in
            var tenant = tenant
            change(&tenant)
            return tenant
        }
        let count = try tenants.query().update(update)
        #expect(try tenants.all() == expected)
        #expect(count == zip(before, expected).count { $0 != $1 })
    }

    @Test func `members are set to values, calculations, properties and nil`() throws {
        try check {
            $0.home.city = "Köln"
        } _: {
            $0.home.city = "Köln"
        }
        try check {
            $0.home.city = "<" + $0.name + ">"
            $0.home.floor += 3
            $0.home.street.number = nil
            $0.name = "x"
        } _: {
            $0.home.city = "<" + $0.name + ">"
            $0.home.floor += 3
            $0.home.street.number = nil
            $0.name = "x"
        }
        try check {
            $0.home.street.name = $0.home.city
            $0.home.floor = 9
            $0.home.floor += 1
        } _: {
            $0.home.street.name = $0.home.city
            $0.home.floor = 10
        }
    }

    @Test func `calculations read members that were set, and other members of the same value`()
        throws
    {
        try check {
            $0.home.floor = 4
            $0.home.floor = $0.home.floor + 1
            $0.home.street.name = $0.home.city + "!"
            $0.home.city = $0.home.street.name + "?"
            $0.home.other.name = $0.home.city + "&"
        } _: {
            $0.home.floor = 5
            $0.home.street.name = $0.home.city + "!"
            $0.home.city = $0.home.street.name + "?"
            $0.home.other?.name = $0.home.city + "&"
        }
    }

    @Test func `members are read after a statement that sets the whole value`() throws {
        try check {
            $0.work = $0.home
            $0.work.city = "Hof"
            $0.home.floor = $0.home.floor + 1
            $0.home.street.name = $0.work.street.name + "/"
        } _: {
            $0.work = $0.home
            $0.work?.city = "Hof"
            $0.home.floor += 1
            $0.home.street.name = $0.home.street.name + "/"
        }
    }

    @Test func `members of an embedded value that is nil are not set`() throws {
        try check {
            $0.work.city = "Trier"
            $0.work.floor = 5
            $0.work.floor += 1
            $0.work.other.number = 5
            $0.home.other.name = "Gasse"
        } _: {
            $0.work?.city = "Trier"
            $0.work?.floor = 6
            $0.work?.other?.number = 5
            $0.home.other?.name = "Gasse"
        }
    }

    @Test func `whole values and members are set one after another`() throws {
        try check {
            $0.work = Self.ulm
            $0.work.city = "Mainz"
            $0.home.city = "lost"
            $0.home = Self.bonn
            $0.home.other = Street(name: "Ring", number: 3)
        } _: {
            $0.work = Self.ulm
            $0.work?.city = "Mainz"
            $0.home = Self.bonn
            $0.home.other = Street(name: "Ring", number: 3)
        }
        try check {
            $0.work = nil
            $0.work.city = "none"
        } _: {
            $0.work = nil
        }
        try check {
            $0.work = $0.home
            $0.work.floor = 4
        } _: {
            $0.work = $0.home
            $0.work?.floor = 4
        }
    }

    @Test func `mistakes are errors, and nothing is changed`() throws {
        let before = try tenants.all()
        expectError(.invalidValue) {
            try tenants.query().update { $0.home.city = $0.work.city }
        }
        expectError(.invalidArgument) {
            try tenants.query().update {
                $0.home.city = "x"
                $0.work = $0.home
            }
        }
        // In an object without the value, the member is nil.
        expectError(.invalidArgument) {
            try tenants.query().update {
                $0.work.city = "x"
                $0.home.city = $0.work.city + "y"
            }
        }
        expectError(.invalidArgument) {
            try tenants.query().update {
                $0.work.other = $0.home.other
                $0.home.city = $0.work.other.name
            }
        }
        expectError(.invalidArgument) {
            try tenants.query().update {
                $0.work = Self.ulm
                $0.home.city = $0.work.city + "y"
            }
        }
        expectError(.overflow) {
            try tenants.query().update { $0.home.floor = $0.home.floor + Int.max }
        }
        #expect(try tenants.all() == before)
    }

    @Test func `conditions and live queries see the changed members`() throws {
        let found = tenants.query { $0.home.city == "Trier" }
        #expect(try found.count() == 0)
        try tenants.query { $0.name == "Bob" }.update { $0.home.city = "Trier" }
        #expect(try found.find().map(\.name) == ["Bob"])
        #expect(try tenants.history(of: 2).count == 2)
    }
}
