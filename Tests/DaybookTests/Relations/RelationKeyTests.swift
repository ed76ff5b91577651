@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// A country with its code as the primary key. The struct does not store its id.
private struct Nation: Entity {
    var code = ""
    var name = ""
    var capital: ToOne<Note> = nil
    var cities: ToMany<Note> = nil

    static let entityDescription = EntityDescription(
        "Nation",
        [
            .property("code", String.self, .primaryKey), .property("name", String.self),
            .property("capital", ToOne<Note>.self), .property("cities", ToMany<Note>.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Nation {
        Nation(
            code: try row.read(0), name: try row.read(1), capital: try row.read(2),
            cities: try row.read(3))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(code, at: 0)
        try row.write(name, at: 1)
        try row.write(capital, at: 2)
        try row.write(cities, at: 3)
    }
    var entityId: Id {
        get { 0 }
        set {}
    }
}

/// Relations of objects with primary keys, and relations in read-only stores.
@Suite struct RelationKeyTests {
    @Test func `an object with a key and no id property writes only its changed relations`()
        throws
    {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Nation.self)
        let (box, log) = (store.box(for: Nation.self), RecordCounter(store.engine))
        let country = Nation(
            code: "CH", capital: ToOne(Note(text: "Bern")), cities: [Note(text: "Basel")])
        try box.put(country)
        let (one, other) = (
            try #require(try box.get(key: "CH")), try #require(try box.get(key: "CH"))
        )
        #expect(one.cities.map(\.text) == ["Basel"] && one.capital.target?.text == "Bern")
        other.cities.append(Note(text: "Chur"))
        try box.put(other)
        #expect(try log.records { try box.put(one) } == ["put": 1])
        one.cities.remove(at: 0)
        #expect(try log.records { try box.put(one) } == ["put": 1, "unlink": 1])
        #expect(try box.get(key: "CH")?.cities.map(\.text) == ["Chur"])
        // A new struct with the same code replaces the stored one. Its capital is nil, so that link
        // is removed. Its cities were never set, so those links stay.
        try box.put(Nation(code: "CH", name: "Schweiz"))
        let found = try #require(try box.get(key: "CH"))
        #expect(found.cities.count == 1 && !found.capital.hasValue)
        try store.close()
    }

    @Test func `a read-only store follows relations, including later ones`() throws {
        let directory = TemporaryDirectory()
        let writer = try Store(directory: directory.url, entities: Bare.self)
        try writer.box().put(Bare())
        try writer.sync()
        try writer.close()
        typealias Related = Holder<ToOne<Note>>
        var again = try Store(directory: directory.url, entities: Bare.self, Note.self)
        var options = StoreOptions()
        options.isReadOnly = true
        options.refreshInterval = .zero
        let reader = try Store(directory: directory.url, entities: Related.self, options: options)
        let early = try #require(try reader.box(for: Related.self).get(1))
        #expect(early.value.target == nil && early.value.failure == nil)
        expectError(.readOnly) { try reader.box().put(early) }
        try again.close()
        again = try Store(directory: directory.url, entities: Related.self)
        try again.box().put(Holder(id: 1, value: ToOne(Note(text: "found"))))
        try reader.refresh()
        early.value.reset()
        #expect(early.value.target?.text == "found")
        #expect(try reader.box(for: Related.self).get(1)?.value.targetId == 1)
        try again.close()
        try reader.close()
    }

    @Test func `a relation cannot be set by a migration`() throws {
        let directory = TemporaryDirectory()
        let earlier = try Store(directory: directory.url, entities: Bare.self)
        try earlier.box().put(Bare())
        try earlier.close()
        var options = StoreOptions()
        options.migrations = [
            .transform("Holder") { _, new in try new.set("value", to: ToOne<Note>(targetId: 1)) }
        ]
        let error = expectError(.migrationFailed) {
            _ = try Store(
                directory: directory.url, entities: Holder<ToOne<Note>>.self, options: options)
        }
        #expect((error?.cause as? DaybookError)?.details["property"] == "value")
    }
}
