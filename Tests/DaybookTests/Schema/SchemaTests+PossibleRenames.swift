@testable import Daybook
import DaybookTestSupport
import Testing

extension SchemaTests {
    /// The hints of the opening report about renames without a former name.
    @Suite(.serialized) struct PossibleRenameTests: ShapedPrograms {
        let directory = TemporaryDirectory()

        private var nickname: PropertyDescription { .property("nickname", String?.self) }

        /// Opens and closes the store. Returns the hints.
        private func hints(
            _ shape: [PropertyDescription], migrations: [Migration] = [], version: UInt64 = 0,
            isReadOnly: Bool = false
        ) throws -> [String] {
            let (store, _) = try open(
                shape, migrations: migrations, version: version, isReadOnly: isReadOnly)
            defer { try? store.close() }
            return store.openingReport.possibleRenames
        }

        @Test func `a rename without a former name is reported once, with a remedy that works`()
            throws
        {
            try people()
            #expect(try hints([name, nickname], isReadOnly: true) == [])
            let found = try hints([name, nickname])
            #expect(found.count == 1)
            let hint = try #require(found.first)
            #expect(hint.hasPrefix("Shaped.nickname is new, and Shaped.age is no longer declared."))
            #expect(hint.contains("@Renamed(from: \"age\")"))
            #expect(hint.contains("Migration.transform(\"Shaped\", toVersion:)"))
            #expect(hint.contains("old[\"age\"]"))
            #expect(try hints([name, nickname]) == [])
            let copied = Migration.transform("Shaped", toVersion: 1) { old, new in
                try new.set("nickname", to: old["age", as: String?.self])
            }
            let (store, box) = try open([name, nickname], migrations: [copied], version: 1)
            #expect(try box.all().map { $0.found["nickname"] } == ["36", "nil"])
            try store.close()
        }

        @Test func `other changes are not taken for renames`() throws {
            // A store without objects has no values to lose.
            #expect(try hints([name, ageText]) == [])
            #expect(try hints([name, nickname]) == [])
            #expect(try hints([name, ageText]) == [])
            try people()
            let other = PropertyDescription.property("height", Double.self)
            #expect(try hints([name, ageText, other]) == [], "added only")
            #expect(try hints([name, ageText]) == [], "removed only")
            #expect(
                try hints([name, .property("years", String?.self, .renamed(from: "age"))]) == [],
                "renamed with its former name")
            #expect(
                try hints([name, .property("size", Int.self)]) == [], "another type")
            let moved = Migration.transform("Shaped", toVersion: 2) { _, _ in }
            #expect(
                try hints([.property("title", String.self)], migrations: [moved], version: 2) == [],
                "a migration of the entity")
            let old = try hints([.property("text", String.self)], migrations: [moved], version: 2)
            #expect(old.count == 1, "a migration that ran before")
            let forget = Migration.forget("Shaped", "text")
            #expect(
                try hints([name], migrations: [moved, forget], version: 2) == [],
                "a property that is dropped")
        }

        @Test func `a renamed entity is reported, and the stored name brings its objects back`()
            throws
        {
            let first = try Store(directory: directory.url, entities: Seller.self)
            var ada = Seller(name: "Ada")
            try first.box(for: Seller.self).put(&ada)
            try first.close()
            let second = try Store(directory: directory.url, entities: Buyer.self)
            let found = second.openingReport.possibleRenames
            #expect(found.count == 1)
            #expect(found.first?.hasPrefix("The entity Buyer is new, and Seller") == true)
            #expect(found.first?.contains("@Entity(name: \"Seller\")") == true)
            #expect(try second.box(for: Buyer.self).isEmpty())
            try second.close()
            let third = try Store(directory: directory.url, entities: RenamedBuyer.self)
            #expect(third.openingReport.possibleRenames == [])
            #expect(try third.box(for: RenamedBuyer.self).all().map(\.name) == ["Ada"])
            try third.close()
        }

        @Test func `other new entities are not taken for renamed ones`() throws {
            /// Opens a new store with sellers, then with other types. Returns the hints.
            func hints(
                hasObjects: Bool = true, _ types: [any Storable.Type],
                migrations: [Migration] = []
            ) throws -> [String] {
                let directory = TemporaryDirectory()
                let first = try Store(directory: directory.url, entities: Seller.self)
                if hasObjects { try first.box(for: Seller.self).put(Seller(name: "Ada")) }
                try first.close()
                var options = StoreOptions()
                options.migrations = migrations
                let second = try Store(
                    path: directory.path, entities: types, options: options)
                defer { try? second.close() }
                return second.openingReport.possibleRenames
            }
            #expect(try hints([Buyer.self]).count == 1)
            #expect(try hints(hasObjects: false, [Buyer.self]) == [])
            #expect(try hints([Seller.self, Buyer.self]) == [])
            #expect(try hints([Other.self]) == [], "another property")
            #expect(try hints([Buyer.self], migrations: [.deleteData("Seller")]) == [])
        }
    }
}

/// A type whose entity has one property, `name`.
private protocol Named: Entity {
    static var entityName: String { get }
    var name: String { get }
    init(entityId: Id, name: String)
}

extension Named {
    static var entityDescription: EntityDescription {
        EntityDescription(entityName, [.property("name", String.self)])
    }

    static func decode(_ row: borrowing RowReader) throws -> Self {
        Self(entityId: row.id, name: try row.read(0))
    }

    func encode(into row: inout RowWriter) throws { try row.write(name, at: 0) }
}

private struct Seller: Named {
    static let entityName = "Seller"
    var entityId: Id = 0
    var name: String
}

private struct Buyer: Named {
    static let entityName = "Buyer"
    var entityId: Id = 0
    var name: String
}

/// A customer that has the stored name of a client.
private struct RenamedBuyer: Named {
    static let entityName = "Seller"
    var entityId: Id = 0
    var name: String
}

private struct Other: Entity {
    var entityId: Id = 0
    var title: String

    static var entityDescription: EntityDescription {
        EntityDescription("Other", [.property("title", String.self)])
    }

    static func decode(_ row: borrowing RowReader) throws -> Other {
        Other(entityId: row.id, title: try row.read(0))
    }

    func encode(into row: inout RowWriter) throws { try row.write(title, at: 0) }
}
