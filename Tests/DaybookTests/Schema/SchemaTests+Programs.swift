import Synchronization
@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// A suite of programs with different declarations of ``Shaped``, one after another.
protocol ShapedPrograms {
    var directory: TemporaryDirectory { get }
}

extension ShapedPrograms {
    func open(
        _ shape: [PropertyDescription], migrations: [Migration] = [], version: UInt64 = 0,
        isReadOnly: Bool = false, progress: (@Sendable (OpeningProgress) -> Void)? = nil
    ) throws -> (Store, Box<Shaped>) {
        Shaped.shape.withLock { $0 = shape }
        var options = StoreOptions()
        options.isReadOnly = isReadOnly
        options.refreshInterval = .zero
        options.migrations = migrations
        options.schemaVersion = version
        options.progress = progress
        let store = try Store(directory: directory.url, entities: Shaped.self, options: options)
        return (store, store.box())
    }

    func put(
        _ box: Box<Shaped>, _ values: [String: any PropertyValue & Sendable], id: Id = 0
    ) throws {
        Shaped.values.withLock { $0 = values }
        try box.put(Shaped(entityId: id))
    }

    var name: PropertyDescription { .property("name", String.self) }
    var age: PropertyDescription { .property("age", Int.self) }
    var ageText: PropertyDescription { .property("age", String?.self) }

    /// Creates a store with two people: one with an age, one without.
    func people() throws {
        let (store, box) = try open([name, ageText])
        try put(box, ["name": "Ada", "age": String?("36")])
        try put(box, ["name": "Bob", "age": String?.none])
        try store.close()
    }

    /// A migration that converts the age to a number.
    var toNumber: Migration {
        .convert("Shaped", "age", from: String.self, to: Int.self) { old in
            old.map { Int($0) ?? -1 } ?? -2
        }
    }
}

extension SchemaTests {
    /// Older programs with newer data, and data that no program declares.
    @Suite(.serialized) struct ProgramTests: ShapedPrograms {
        let directory = TemporaryDirectory()

        @Test func `a store with a newer schema version is refused and not changed`() throws {
            let (store, box) = try open([name], version: 5)
            try put(box, ["name": "a"])
            try store.engine.writeSnapshot()
            try store.close()
            let files = try directory.names
            for isReadOnly in [false, true] {
                let error = expectError(.schemaTooNew) {
                    _ = try open([name], version: 4, isReadOnly: isReadOnly)
                }
                #expect(error?.details == ["stored": "5", "declared": "4"])
            }
            #expect(try directory.names == files)
            let (reader, seen) = try open([name], version: 6, isReadOnly: true)
            #expect(try seen.count() == 1)
            try reader.close()
            let (again, _) = try open([name], version: 5)
            try again.close()
        }

        @Test func `objects of an undeclared entity stay until they are deleted`()
            throws
        {
            func notes(_ migrations: [Migration] = []) throws -> (Store, Box<Note>) {
                var options = StoreOptions()
                options.migrations = migrations
                let store = try Store(
                    directory: directory.url, entities: Note.self, options: options)
                return (store, store.box())
            }
            let (first, box) = try notes()
            for text in ["a", "b"] { try box.put(Note(text: text)) }
            try first.close()
            let (without, _) = try open([name])
            try without.close()
            let (back, found) = try notes()
            #expect(try found.all().map(\.text) == ["a", "b"])
            try back.close()
            expectError(.invalidArgument) { _ = try notes([.deleteData("Note")]) }
            for _ in 0..<2 {
                let (deleting, _) = try open([name], migrations: [.deleteData("Note")])
                #expect(try deleting.sequence == 5)
                try deleting.engine.proveReplay()
                try deleting.close()
            }
            let (last, none) = try notes()
            #expect(try none.count() == 0)
            try none.put(Note(text: "c"))
            #expect(try none.all().map(\.entityId) == [3])
            try last.close()
        }

        @Test func `values that a program does not declare survive when it replaces the object`()
            throws
        {
            let email = PropertyDescription.property("email", String?.self)
            let (newer, people) = try open([name, age, email])
            try put(people, ["name": "Ada", "age": 36, "email": String?("a@b")])
            try put(people, ["name": "Bob", "age": 7, "email": String?.none])
            try newer.close()
            let (older, seen) = try open([name])
            try put(seen, ["name": "Ada King"], id: 1)
            try put(seen, ["name": "Carl"])
            #expect(
                try seen.all().map(\.found) == [
                    ["name": "Ada King"], ["name": "Bob"], ["name": "Carl"],
                ])
            try older.engine.write { _ in
                // Puts it twice in one transaction, and after a removal: then there is nothing to
                // keep.
                try put(seen, ["name": "Bobby"], id: 2)
                try put(seen, ["name": "Robert"], id: 2)
                try seen.remove(3)
                try put(seen, ["name": "Carla"], id: 3)
            }
            try older.engine.proveReplay()
            try older.close()
            let (again, all) = try open([age, email, name])
            #expect(
                try all.all().map(\.found) == [
                    ["name": "Ada King", "age": "36", "email": "a@b"],
                    ["name": "Robert", "age": "7", "email": "nil"],
                    ["name": "Carla", "age": "0", "email": "nil"],
                ])
            try again.close()
        }

        @Test func `values that a program does not declare survive an update by a query`() throws {
            let email = PropertyDescription.property("email", String?.self)
            let (newer, people) = try open([age, name, email])
            try put(people, ["name": "Ada", "age": 36, "email": String?("a@b")])
            try newer.close()
            let (older, seen) = try open([name])
            try put(seen, ["name": "Bob"])
            #expect(try seen.query().update { $0.name += "!" } == 2)
            #expect(try seen.all().map(\.found) == [["name": "Ada!"], ["name": "Bob!"]])
            try older.engine.proveReplay()
            try older.close()
            let (again, all) = try open([age, email, name])
            #expect(
                try all.all().map(\.found) == [
                    ["name": "Ada!", "age": "36", "email": "a@b"],
                    ["name": "Bob!", "age": "0", "email": "nil"],
                ])
            try again.close()
        }

        @Test func `the values of a dropped property are not kept`() throws {
            let (newer, people) = try open([name, age])
            for _ in 0..<2 { try put(people, ["name": "Ada", "age": 36]) }
            try newer.close()
            let forget = Migration.forget("Shaped", "age")
            expectError(.invalidArgument) { _ = try open([name, age], migrations: [forget]) }
            for migrations in [[forget], []] {
                let (store, box) = try open([name], migrations: migrations)
                try put(box, ["name": "Bob"], id: 2)
                try store.close()
            }
            let (again, all) = try open([name, age])
            #expect(try all.all().map { $0.found["age"] } == ["36", "0"])
            try again.engine.proveReplay()
            try again.close()
        }

        @Test
        func `a reader gets an error after an incompatible migration, and never wrong values`()
            throws
        {
            try people()
            let (reader, seen) = try open([name, ageText], isReadOnly: true)
            let readerShape = Shaped.shape.withLock { $0 }
            let (writer, _) = try open([age, name], migrations: [toNumber])
            try writer.close()
            Shaped.shape.withLock { $0 = readerShape }
            #expect(try seen.get(1)?.found["age"] == "36")
            try reader.refresh()
            let error = expectError(.schemaMismatch) { _ = try seen.get(1) }
            #expect(error?.details["stored"] == "int64")
            try reader.close()
        }
    }
}

extension Shaped {
    fileprivate static var name: Property<Shaped, String> { Property("name") }
}
