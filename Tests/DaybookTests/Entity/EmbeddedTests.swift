@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookMaintenance
import DaybookTestSupport
import Foundation
import Testing

/// Embedded values: rows within rows.
@Suite struct EmbeddedTests {
    private let directory = TemporaryDirectory()

    private func open<Value: PropertyValue>(
        _ type: Value.Type
    ) throws -> (Store, Box<Holder<Value>>) {
        let store = try Store(directory: directory.url, entities: Holder<Value>.self)
        return (store, store.box())
    }

    /// Puts values, and reads them after reopening, from a snapshot, and compacted.
    private func roundTrip<Value: PropertyValue & Equatable>(
        _ values: Value..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let directory = TemporaryDirectory()
        var store = try Store(directory: directory.url, entities: Holder<Value>.self)
        var objects = values.map { Holder(value: $0) }
        try store.box().put(&objects)
        for step in ["reopened", "from a snapshot", "compacted"] {
            if step == "compacted" { _ = try store.engine.compact(.latest, sealsActive: true) }
            if step != "reopened" { try store.engine.writeSnapshot() }
            try store.close()
            store = try Store(directory: directory.url, entities: Holder<Value>.self)
            let found = try store.box(for: Holder<Value>.self).all().map(\.value)
            #expect(found == values, "\(step)", sourceLocation: sourceLocation)
        }
        try store.engine.proveReplay()
        try store.close()
    }

    private let home = Address(
        city: "Zürich", place: Place(latitude: 47.37, longitude: 8.54), tags: ["a", ""])

    @Test func `embedded values are unchanged: plain, optional, nested, and in collections`()
        throws
    {
        try roundTrip(home, Address())
        try roundTrip(Address?.some(home), nil)
        try roundTrip([home, Address(), home], [])
        try roundTrip([home, nil])
        try roundTrip(Set([home, Address()]))
        try roundTrip(["home": home, "": Address()])
        try roundTrip(["home": [home], "none": []])
    }

    @Test func `an embedded type may contain itself`() throws {
        var deep = Branch(name: "leaf")
        for level in 0..<40 { deep = Branch(name: "\(level)", branches: [deep, Branch()]) }
        try roundTrip(deep, Branch())
    }

    @Test func `replay prints embedded values without the Swift types`() throws {
        var (store, box) = try open([String: Address].self)
        try box.put(Holder(value: ["home": home]))
        try store.close()
        (store, box) = try open([String: Address].self)
        var lines: [String] = []
        try store.engine.forEachObject { object throws(DaybookError) in
            var text = JSONText()
            try object.appendRow(to: &text)
            lines.append(text.text)
            return true
        }
        #expect(
            lines == [
                #"{"value":{"home":{"city":"Zürich","place":{"latitude":47.37,"longitude":8.54},"#
                    + #""tags":["a",""]}}}"#
            ])
        try store.close()
    }

    @Test func `an embedded type may change, and values of all its layouts coexist`()
        throws
    {
        let (store, box) = try open([Address].self)
        try box.put(Holder(value: [home, Address(city: "Ulm")]))
        try store.close()
        let (later, laterBox) = try open([LaterAddress].self)
        var found = try #require(try laterBox.get(1))
        #expect(
            found.value == [
                LaterAddress(city: "Zürich", place: Place(latitude: 47.37, longitude: 8.54)),
                LaterAddress(city: "Ulm"),
            ])
        found.value.append(LaterAddress(country: "DE", city: "Köln"))
        found.id = 0
        try laterBox.put(&found)
        #expect(try laterBox.get(2) == found)
        #expect(try laterBox.get(1)?.value.count == 2)
        try later.engine.proveReplay()
        try later.close()
    }

    @Test func `a property of an embedded type gets a new type under a new name`() throws {
        let (store, box) = try open(Address.self)
        try box.put(Holder(value: Address(city: "Ulm")))
        try store.close()
        let error = expectError(.schemaMismatch) { _ = try open(RetypedAddress.self) }
        #expect(error?.message.contains("an embedded type has no migrations") == true)
        #expect(error?.message.contains("with a migration") == false)
        var options = StoreOptions()
        options.migrations = [
            .convert("Address", "city", from: String.self, to: Int.self) { $0?.count ?? 0 }
        ]
        let refused = expectError(.invalidArgument) {
            _ = try Store(
                directory: directory.url, entities: Holder<RetypedAddress>.self, options: options)
        }
        #expect(refused?.message.contains("give it a new name") == true)
        options.schemaVersion = 2
        options.migrations = [
            .transform(Holder<RenamedAddress>.entityDescription.name, toVersion: 2) { old, new in
                var address = try old["value", as: RenamedAddress.self]
                address.cityNumber = address.city.count
                try new.set("value", to: address)
            }
        ]
        let later = try Store(
            directory: directory.url, entities: Holder<RenamedAddress>.self, options: options)
        let holder = try later.box(for: Holder<RenamedAddress>.self).get(1)
        #expect(holder?.value == RenamedAddress(city: "Ulm", cityNumber: 3))
        try later.close()
    }

    @Test func `if the object is older than the property, all embedded properties are missing`()
        throws
    {
        let store = try Store(directory: directory.url, entities: Bare.self)
        try store.box().put(Bare())
        try store.close()
        let (later, box) = try open(LaterAddress.self)
        #expect(try box.get(1)?.value == LaterAddress())
        try later.close()
        let (optional, optionalBox) = try open(LaterAddress?.self)
        #expect(try optionalBox.get(1)?.value == .some(nil))
        try optional.close()
    }

    @Test func `unknown properties of an embedded value are kept`()
        async throws
    {
        let (store, box) = try open([LaterAddress].self)
        let written = [LaterAddress(country: "CH", city: "Zug"), LaterAddress(city: "Ulm")]
        try await box.put(Holder(value: written))
        try await store.close()
        // An earlier version does not know the country, and puts back the value that it has read.
        let (earlier, earlierBox) = try open([Address].self)
        let seen = try #require(try await earlierBox.get(1))
        #expect(seen.value.map(\.city) == ["Zug", "Ulm"])
        try await earlierBox.put(seen)
        try putBlocking(seen, in: earlierBox)
        try await earlierBox.put([seen])
        try await earlier.close()
        let (later, laterBox) = try open([LaterAddress].self)
        #expect(try await laterBox.get(1)?.value == written)
        try await later.close()
    }

    /// Calls the blocking put.
    private func putBlocking<E: Entity>(_ object: E, in box: Box<E>) throws { try box.put(object) }

    @Test func `two embedded types under one name are refused before anything is written`() throws {
        #expect(throws: DaybookError.self) {
            try Store(
                directory: directory.url, entities: Holder<Address>.self, OtherHolder.self)
        }
        #expect(!FileManager.default.fileExists(atPath: directory.url.path + "/CURRENT"))
    }
}

/// `Holder` without a value.
struct Bare: Entity {
    var entityId: Id = 0
    static let entityDescription = EntityDescription("Holder", [])
    static func decode(_ row: borrowing RowReader) throws -> Bare { Bare(entityId: row.id) }
    func encode(into row: inout RowWriter) throws {}
}

/// Contains an embedded value with the name of another type.
struct OtherHolder: Entity {
    var entityId: Id = 0
    static let entityDescription = EntityDescription(
        "Other", [.property("value", LaterAddress.self)])
    static func decode(_ row: borrowing RowReader) throws -> OtherHolder {
        OtherHolder(entityId: row.id)
    }
    func encode(into row: inout RowWriter) throws {}
}
