#if Macros
import DaybookModel
import Testing

/// The choice of the id property.
@Suite struct IdentityTests {
    private func model(_ source: String) throws -> EntityModel {
        let read = try ReadSource(source)
        #expect(read.problems == [])
        return try #require(read.model)
    }

    @Test(arguments: [
        ("@Id var key: UInt64; var id: Id", "key"),
        ("@Id var key: Int64", "key"),
        ("@Id(assignable: false) var key: NoteId; var other: Id", "key"),
        ("// objectbox: id\nvar key: UInt64 = 0", "key"),
        ("var id: UInt64", "id"),
        ("var id: Int64 = 0", "id"),
        ("var ID: UInt64", "ID"),
        ("var objectID: Int64", "objectID"),
        ("var uniqueId: UInt64; var objectId: UInt64", "objectId"),
        ("var id: String; var uniqueID: UInt64", "uniqueID"),
        ("var a: Id; var objectId: Id", "objectId"),
        ("var a: Id; var uniqueid: EntityId<Note>; var b: Id", "uniqueid"),
        ("var objectId: UInt64; var a: Id", "a"),
        ("@PrimaryKey var number: UInt64; @Id var key: UInt64", "key"),
    ])
    func `an annotation has priority over the type, and the type over the name`(
        members: String, expected: String
    ) throws {
        let note = try model("@Entity struct Note {\n\(members) }")
        #expect(note.identity == .property(expected))
        #expect(!note.properties.contains { $0.name == expected })
        #expect(note.attributes == [])
    }

    @Test(arguments: [
        "@PrimaryKey var id: UUID", "@PrimaryKey var id: UInt64", "@PrimaryKey var code: String",
        "// objectbox: primaryKey\nvar code: String", "@PrimaryKey var code: String; var id: Int",
    ])
    func `an entity with a primary key needs no id`(members: String) throws {
        let note = try model("@Entity struct Note {\n\(members) }")
        #expect(note.identity == .hidden)
        #expect(note.properties.count == members.split(separator: "var").count - 1)
        let compound = "@PrimaryKey(\"a\", \"b\") @Entity struct Note { var a: Int; var b: Int }"
        #expect(try model(compound).identity == .hidden)
    }

    @Test func `assignable ids are an attribute of the entity`() throws {
        for source in ["@Id(assignable: true)", "// objectbox: id = {\"assignable\": true}\n"] {
            let note = try model("@Entity struct Note {\n\(source) var id: Id = 0 }")
            #expect(note.attributes == [.assignableIds])
        }
    }

    @Test(arguments: ["var objectId: String", "var uniqueId: Token", "var key: UInt64"])
    func
        `a property is the id neither by its name alone nor by its type alone`(
            member: String
        ) throws
    {
        let read = try ReadSource("@Entity struct Note { \(member) }")
        #expect(
            read.problems == ["1:16 entity 'Note' has no id property: add 'var id: Id = 0'"])
    }

    @Test func `two properties cannot both be the id`() throws {
        let read = try ReadSource("@Entity struct Note { @Id var a: Id; @Id var b: Id }")
        #expect(
            read.problems == ["1:46 an entity has one id, but several are marked: 'a', 'b'"])
        #expect(read.fixed == "@Entity struct Note { @Id var a: Id; var b: Id }")
        #expect(try ReadSource(read.fixed).problems == [])
    }

    @Test func `the error for an annotated id of an unsuitable type suggests the right type`()
        throws
    {
        let read = try ReadSource("@Entity struct Note { @Id var key: String = \"\" }")
        #expect(
            read.problems == [
                "1:36 the id property 'key' must have the type 'Id' or 'EntityId<Note>'"
            ])
        #expect(read.fixed == "@Entity struct Note { @Id var key: Id = 0 }")
    }
}
#endif
