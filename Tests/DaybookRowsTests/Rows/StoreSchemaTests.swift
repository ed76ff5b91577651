import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite struct StoreSchemaTests {
    private let directory = TemporaryDirectory()

    @Test func `the schema has the entities with their properties, relations and indexes`() throws {
        let store = try Store.withContacts(directory.path)
        let schema = try store.schema
        #expect(schema.entities.map(\.name).sorted() == ["Contact", "Home", "Spot"])
        let contact = try #require(schema["Contact"])
        #expect(contact.kind == .object)
        #expect(contact.isDeclared)
        #expect(contact.primaryKey == ["email"])
        #expect(contact.properties.map(\.name).prefix(3) == ["email", "name", "age"])
        #expect(contact.property(named: "name")?.isOptional == true)
        #expect(contact.property(named: "age")?.type.description == "int64")
        #expect(contact.property(named: "tags")?.type.element?.kind == .string)
        #expect(contact.property(named: "scores")?.type.description == "map<double>")
        #expect(contact.property(named: "address")?.type.embeddedEntity == "Home")
        #expect(contact.property(named: "address")?.type.description == "embedded<Home>?")
        #expect(contact.relation(named: "boss")?.kind == .toOne)
        #expect(contact.relation(named: "friends")?.kind == .toMany)
        #expect(contact.relation(named: "friends")?.target == "Contact")
        #expect(contact.property(named: "boss") == nil)
        #expect(contact.backlinks.map(\.path) == ["<-Contact.boss", "<-Contact.friends"])
        #expect(contact.indexes.map(\.properties) == [["email"], ["age"]])
        #expect(contact.indexes.map(\.isUnique) == [true, false])
        #expect(contact.indexes.map(\.kind) == [.value, .value])
        #expect(schema["Home"]?.kind == .embedded)
        #expect(schema["Nothing"] == nil)
        #expect(schema.version == 0)
        try store.close()
        expectError(.closed) { _ = try store.schema }
    }

    @Test func `a store that was opened without types knows the same schema, undeclared`() throws {
        var store = try Store.withContacts(directory.path)
        let declared = try store.schema
        try store.close()
        var options = StoreOptions()
        options.isReadOnly = true
        for isReadOnly in [true, false] {
            options.isReadOnly = isReadOnly
            store = try Store(path: directory.path, entities: [], options: options)
            var schema = try store.schema
            #expect(schema.entities.allSatisfy { !$0.isDeclared })
            #expect(schema["Contact"]?.property(named: "age")?.isDeclared == false)
            #expect(schema["Contact"]?.relation(named: "boss")?.isDeclared == false)
            for index in schema.entities.indices {
                let other = try #require(declared[schema.entities[index].name])
                schema.entities[index].isDeclared = other.isDeclared
                schema.entities[index].properties = other.properties
                schema.entities[index].relations = other.relations
            }
            #expect(schema == declared)
            try store.close()
        }
    }

    @Test func `a property of another program is marked as undeclared`() throws {
        var store = try Store(directory: directory.url, entities: Note.self)
        try store.close()
        store = try Store(directory: directory.url, entities: ShortNote.self)
        let note = try #require(try store.schema["Note"])
        #expect(note.isDeclared)
        #expect(note.property(named: "text")?.isDeclared == true)
        #expect(note.property(named: "stars")?.isDeclared == false)
        try store.close()
    }

    @Test func `the schema is Codable`() throws {
        let store = try Store.withContacts(directory.path)
        let schema = try store.schema
        let coded = try JSONEncoder().encode(schema)
        #expect(try JSONDecoder().decode(StoreSchema.self, from: coded) == schema)
        try store.close()
    }
}
