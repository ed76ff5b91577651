@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// An entity that only has a description.
private protocol Described: Entity {
    init()
}

extension Described {
    static func decode(_ row: borrowing RowReader) throws -> Self { Self() }
    func encode(into row: inout RowWriter) throws {}
    var entityId: Id {
        get { 0 }
        set {}
    }
}

private struct Elsewhere: Described {
    static let entityDescription = EntityDescription(
        "Elsewhere",
        [
            .property("name", String.self), .property("note", ToOne<Note>.self),
            .property("denied", ToOne<TwoMinds>.self, .relation(onTargetDelete: .deny)),
        ])
}

private struct TwoMinds: Described {
    static let entityDescription = EntityDescription(
        "TwoMinds", [],
        .backlink("others", Elsewhere.self, "denied", onDelete: .cascade))
}

private struct NoSuch: Described {
    static let entityDescription = EntityDescription(
        "NoSuch", [], .backlink("others", Elsewhere.self, "missing"))
}

private struct NoRelation: Described {
    static let entityDescription = EntityDescription(
        "NoRelation", [], .backlink("others", Elsewhere.self, "name"))
}

private struct NotBack: Described {
    static let entityDescription = EntityDescription(
        "NotBack", [], .backlink("others", Elsewhere.self, "note"))
}

private struct Wrapped: Described {
    static let entityDescription = EntityDescription(
        "Wrapped", [.property("note", ToOne<Note>?.self)])
}

private struct Gathered: Described {
    static let entityDescription = EntityDescription(
        "Gathered", [.property("notes", [ToOne<Note>].self)])
}

private struct Happening: Event {
    static let entityDescription = EntityDescription(
        "Happening", [], .backlink("others", Elsewhere.self, "note"))
    static func decode(_ row: borrowing RowReader) throws -> Happening { Happening() }
    func encode(into row: inout RowWriter) throws {}
}

private struct Related: Embedded {
    static let entityDescription = EntityDescription(
        "Related", [.property("note", ToOne<Note>.self)])
    static func decode(_ row: borrowing RowReader) throws -> Related { Related() }
    func encode(into row: inout RowWriter) throws {}
}

private struct Ruled: Event {
    static let entityDescription = EntityDescription(
        "Ruled", [.property("note", ToOne<Note>.self, .relation(onDelete: .cascade))])
    static func decode(_ row: borrowing RowReader) throws -> Ruled { Ruled() }
    func encode(into row: inout RowWriter) throws {}
}

private struct Indexed: Described {
    static let entityDescription = EntityDescription(
        "Indexed", [.property("note", ToOne<Note>.self, .index)])
}

/// An entity that reads a backlink with a wrong type, and a backlink at a wrong index.
private final class Confused: Entity {
    var id: Id = 0
    var note: ToOne<Note> = nil
    var wrong: ToMany<Person> = nil
    var missing: ToMany<Person> = nil

    static let entityDescription = EntityDescription(
        "Confused", [.property("note", ToOne<Note>.self)],
        .backlink("wrong", Confusing.self, "confused"))
    static func decode(_ row: borrowing RowReader) throws -> Confused {
        let object = Confused()
        object.id = row.id
        object.wrong = row.backlink(0)
        object.missing = row.backlink(3)
        return object
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(note, at: 0)
        if id != 0 { try row.write(wrong, backlink: 0) }
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

private struct Confusing: Described {
    static let entityDescription = EntityDescription(
        "Confusing", [.property("confused", ToOne<Confused>.self)])
}

/// Relations with invalid declarations or invalid uses.
@Suite struct RelationSchemaTests {
    private func refuse(_ type: any Storable.Type, naming property: String) {
        let path = "memory:\(UUID())"
        let error = expectError(.schemaMismatch) {
            _ = try Store(path: path, entities: [type])
        }
        #expect(error?.details["property"] == property || error?.message.contains(property) == true)
    }

    @Test func `a backlink without a matching relation is refused with its name`() {
        refuse(NoSuch.self, naming: "others")
        refuse(NoRelation.self, naming: "others")
        refuse(NotBack.self, naming: "others")
    }

    @Test func `events cannot be the targets of relations or have delete rules`() {
        refuse(Happening.self, naming: "others")
        refuse(Ruled.self, naming: "note")
    }

    @Test func `embedded values cannot have relations`() { refuse(Related.self, naming: "note") }

    @Test func `contradictory delete rules are refused`() {
        refuse(TwoMinds.self, naming: "others")
    }

    @Test func `a relation in an optional, a collection or an index is refused`() {
        refuse(Wrapped.self, naming: "note")
        refuse(Gathered.self, naming: "notes")
        refuse(Indexed.self, naming: "note")
    }

    @Test func `opening a store registers the targets and sources of its relations`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Customer.self)
        #expect(try store.box(for: Order.self).isEmpty())
        let other = try Store(directoryPath: "memory:\(UUID())", entities: Order.self)
        #expect(try other.box(for: Customer.self).isEmpty())
        try store.close()
        try other.close()
    }

    @Test func `a conformance that reads a relation as another kind gets an error, not a trap`()
        throws
    {
        let store = try Store(
            directoryPath: "memory:\(UUID())", entities: Confused.self, Person.self)
        let box = store.box(for: Confused.self)
        try box.put(Confused())
        let found = try #require(try box.get(1))
        #expect(found.wrong.isEmpty && found.wrong.failure?.code == .schemaMismatch)
        expectError(.schemaMismatch) { try found.missing.get() }
        found.wrong.append(Person("x"))
        expectError(.schemaMismatch) { try box.put(found) }
        try store.close()
    }
}
