import Daybook
import DaybookTestSupport
import Testing

@Suite struct SchemaHistoryTests {
    private let directory = TemporaryDirectory()

    @Test func `the changes of a schema are listed with their commits`() throws {
        try Store(path: directory.path, entities: [ShortNote.self]).close()
        let store = try Store(path: directory.path, entities: [Note.self])
        try store.box(for: Note.self).put(Note(text: "a"))
        let changes = try store.schemaHistory()
        #expect(changes.map(\.sequence) == [1, 2])
        #expect(changes.map(\.entityName) == ["Note", "Note"])
        #expect(
            changes.map(\.differences) == [
                [.entityAdded, .memberAdded(name: "text", type: "string")],
                [.memberAdded(name: "stars", type: "int64?")],
            ])
        #expect(changes[0].date <= changes[1].date)
        try store.close()
        expectError(.closed) { _ = try store.schemaHistory() }
    }

    @Test func `renamed, retyped and removed members and indexes are found`() async throws {
        for entities: [any Entity.Type] in [[FirstThing.self], [SecondThing.self]] {
            try await Store(path: directory.path, entities: entities).close()
        }
        var options = StoreOptions()
        options.isReadOnly = true
        let store = try await Store(path: directory.path, entities: [], options: options)
        let changes = try await store.schemaHistory()
        #expect(
            changes.last?.differences == [
                .memberRenamed(from: "size", to: "length"),
                .memberRetyped(name: "length", from: "int32", to: "int64"),
                .memberAdded(name: "owner", type: "toOne<Thing>"),
                .memberRemoved(name: "color", type: "string"),
                .indexRemoved(properties: ["size"]),
            ])
        #expect(changes.first?.differences.contains(.indexAdded(properties: ["size"])) == true)
    }
}

private struct FirstThing: Entity {
    var id: Id = 0
    var size: Int32 = 0
    var color = ""

    static let entityDescription = EntityDescription(
        "Thing", [.property("size", Int32.self, .index), .property("color", String.self)])
    static func decode(_ row: borrowing RowReader) throws -> FirstThing {
        FirstThing(id: row.id, size: try row.read(0), color: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(size, at: 0)
        try row.write(color, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}

private struct SecondThing: Entity {
    var id: Id = 0
    var length = 0
    var owner: Reference<SecondThing> = nil

    static let entityDescription = EntityDescription(
        "Thing",
        [
            .property("length", Int.self, .renamed(from: "size")),
            .property("owner", Reference<SecondThing>.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> SecondThing {
        SecondThing(id: row.id, length: try row.read(0), owner: try row.read(1))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(length, at: 0)
        try row.write(owner, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }
}
