@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(30))) struct SchemaTests {
    private let directory = TemporaryDirectory()

    private func open(
        _ shape: [PropertyDescription], isReadOnly: Bool = false
    ) throws -> (Store, Box<Shaped>) {
        Shaped.shape.withLock { $0 = shape }
        var options = StoreOptions()
        options.isReadOnly = isReadOnly
        options.refreshInterval = .zero
        let store = try Store(directory: directory.url, entities: Shaped.self, options: options)
        return (store, store.box())
    }

    private func put(_ box: Box<Shaped>, _ values: [String: any PropertyValue & Sendable]) throws {
        Shaped.values.withLock { $0 = values }
        try box.put(Shaped())
    }

    private let name = PropertyDescription.property("name", String.self)
    private let age = PropertyDescription.property("age", Int.self)
    private let note = PropertyDescription.property("note", String?.self)

    @Test func `a property that is added is zero or nil in older objects`() throws {
        var (store, box) = try open([name])
        try put(box, ["name": "Ada"])
        try store.close()
        (store, box) = try open([
            name, age, note, .property("bytes", [UInt8].self), .property("weight", Double.self),
            .property("isGood", Bool.self), .property("years", Int?.self),
        ])
        #expect(
            try box.get(1)?.found == [
                "name": "Ada", "age": "0", "note": "nil", "bytes": "[]", "weight": "0.0",
                "isGood": "false", "years": "nil",
            ])
        try put(box, ["name": "Grace", "age": 85, "note": "COBOL", "years": 3])
        #expect(try box.get(2)?.found["age"] == "85")
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `the values of a removed property are available when it is declared again`() throws {
        var (store, box) = try open([name, age])
        try put(box, ["name": "Ada", "age": 36])
        try store.close()
        (store, box) = try open([name])
        #expect(try box.get(1)?.found == ["name": "Ada"])
        try put(box, ["name": "Grace"])
        try store.close()
        (store, box) = try open([age, name])
        #expect(try box.get(1)?.found == ["name": "Ada", "age": "36"])
        #expect(try box.get(2)?.found == ["name": "Grace", "age": "0"])
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `properties may change their order, and objects of all layouts coexist`()
        throws
    {
        var (store, box) = try open([name, age, note])
        try put(box, ["name": "a", "age": 1, "note": "x"])
        try store.close()
        (store, box) = try open([note, name, age])
        try put(box, ["name": "b", "age": 2, "note": "y"])
        _ = try store.engine.compact(.all, sealsActive: true)
        let expected = [
            ["name": "a", "age": "1", "note": "x"], ["name": "b", "age": "2", "note": "y"],
        ]
        #expect(try box.all().map(\.found) == expected)
        try store.close()
        (store, box) = try open([age, note, name])
        #expect(try box.all().map(\.found) == expected)
        try store.engine.proveReplay()
        try store.close()
    }

    @Test func `a property may become optional and required again`() throws {
        var (store, box) = try open([name])
        try put(box, ["name": "a"])
        try store.close()
        (store, box) = try open([.property("name", String?.self)])
        try put(box, ["name": String?.none])
        #expect(try box.all().map { $0.found["name"] } == ["a", "nil"])
        try store.close()
        (store, box) = try open([name])
        #expect(try box.all().map { $0.found["name"] } == ["a", ""])
        try store.close()
    }

    @Test func `a property of another type is refused, and nothing is changed`() throws {
        var (store, box) = try open([name, age])
        try put(box, ["name": "Ada", "age": 36])
        try store.close()
        let files = try directory.names
        let error = expectError(.schemaMismatch) {
            _ = try open([name, .property("age", String.self)])
        }
        #expect(error?.details["entity"] == "Shaped")
        #expect(error?.details["property"] == "age")
        #expect(error?.details["declared"] == "string")
        #expect(error?.details["stored"] == "int64")
        #expect(try directory.names == files)
        expectError(.schemaMismatch) { _ = try open([age, age]) }
        expectError(.schemaMismatch) { _ = try open([.property("", Int.self)]) }
        (store, box) = try open([name, age])
        #expect(try box.get(1)?.found == ["name": "Ada", "age": "36"])
        try store.close()
    }

    @Test func `a removed property with a new type becomes another property`() throws {
        var (store, box) = try open([name, age])
        try put(box, ["name": "Ada", "age": 36])
        try store.close()
        (store, box) = try open([name])
        try store.close()
        (store, box) = try open([name, .property("age", String.self)])
        #expect(try box.get(1)?.found == ["name": "Ada", "age": ""])
        try put(box, ["name": "Grace", "age": "old"])
        try store.close()
        (store, box) = try open([name])
        try store.close()
        (store, box) = try open([name, age])
        #expect(try box.all().map { $0.found["age"] } == ["36", "0"])
        try store.close()
    }

    @Test func `reopening with the same declarations writes nothing`() throws {
        let (store, _) = try open([name, age])
        let sequence = try store.sequence
        try store.close()
        let (again, _) = try open([name, age])
        #expect(try again.sequence == sequence)
        try again.close()
    }

    @Test func `a new entity does not change the other entities`() throws {
        let store = try Store(directory: directory.url, entities: Note.self)
        try store.box(for: Note.self).put(Note(text: "a"))
        try store.close()
        let more = try Store(directory: directory.url, entities: Person.self, Note.self)
        #expect(try more.box(for: Note.self).get(1)?.text == "a")
        #expect(try more.box(for: Person.self).put(Person("b")) == 1)
        try more.close()
        let less = try Store(directory: directory.url, entities: Person.self)
        #expect(try less.box(for: Person.self).count() == 1)
        expectError(.entityNotRegistered) { _ = try less.box(for: Note.self).count() }
        try less.close()
    }

    @Test func `two types with the same entity name are refused`() throws {
        struct Other: Entity {
            var entityId: Id = 0
            static let entityDescription = EntityDescription("Note", [])
            static func decode(_ row: borrowing RowReader) throws -> Other {
                Other(entityId: row.id)
            }
            func encode(into row: inout RowWriter) throws {}
        }
        let error = expectError(.schemaMismatch) {
            _ = try Store(directory: directory.url, entities: Note.self, Other.self)
        }
        #expect(error?.details["entity"] == "Note")
        #expect(!FileManager.default.fileExists(atPath: directory.path))
        let store = try Store(directory: directory.url, entities: Note.self, Note.self)
        try store.close()
    }

    @Test func `a reader with another declaration reads rows that a writer declares later`() throws
    {
        // The store does not have the reader's layout. The writer's next layout got the same
        // number.
        let (store, box) = try open([name])
        try put(box, ["name": "a"])
        try store.close()
        let (reader, seen) = try open([name, age, note], isReadOnly: true)
        let readerShape = Shaped.shape.withLock { $0 }
        let without = try seen.query(Property<Shaped, Int>("age") == 0).build()
        let with = seen.query(Property<Shaped, String?>("note") == "n")
        let built = try with.build()
        #expect(try (without.count(), with.count(), built.count()) == (1, 0, 0))
        let (writer, written) = try open([note, name])
        try put(written, ["name": "b", "note": "n"])
        try reader.refresh()
        Shaped.shape.withLock { $0 = readerShape }
        #expect(try (without.count(), with.count(), built.count()) == (2, 1, 1))
        #expect(
            try seen.all().map(\.found) == [
                ["name": "a", "age": "0", "note": "nil"], ["name": "b", "age": "0", "note": "n"],
            ])
        try reader.close()
        try writer.close()
    }

    @Test func `a type that cannot be stored is refused before anything is created`() throws {
        let fresh = TemporaryDirectory()
        let shapes: [(String, [PropertyDescription])] = [
            ("", [.property("a", Int.self)]),
            ("Note", [.property("", Int.self)]),
            ("Note", [.property("a", Int.self), .property("a", Int.self)]),
            ("Note", (0..<70_000).map { .property("p\($0)", Int.self) }),
        ]
        for (name, properties) in shapes {
            Impossible.description.withLock { $0 = EntityDescription(name, properties) }
            expectError(.schemaMismatch) {
                _ = try Store(directory: fresh.url, entities: Impossible.self)
            }
            #expect(!FileManager.default.fileExists(atPath: fresh.path))
        }
    }
}

/// An entity with an invalid description.
private struct Impossible: Entity {
    static let description = Mutex(EntityDescription("", []))

    var entityId: Id = 0
    static var entityDescription: EntityDescription { description.withLock { $0 } }
    static func decode(_ row: borrowing RowReader) throws -> Impossible { Impossible() }
    func encode(into row: inout RowWriter) throws {}
}
