#if Macros
import DaybookModel
import Testing

@Suite struct EntityCodeTests {
    private func code(
        name: String = "Note", qualifiedName: String = "Note",
        shape: EntityModel.Shape = .structure,
        access: EntityModel.Access = .inherited, declaresEntityId: Bool = false,
        properties: [EntityModel.Property] = [],
        emptyInitializer: EntityModel.EmptyInitializer = .unneeded
    ) -> EntityCode {
        var model = EntityModel(
            name: name, qualifiedName: qualifiedName, shape: shape, identity: .property("key"))
        model.access = access
        model.declaresEntityId = declaresEntityId
        model.properties = properties
        model.emptyInitializer = emptyInitializer
        return EntityCode(model)
    }

    @Test func `an entity with only an id reads and writes the id`() {
        #expect(
            code().extensionText(statingConformance: true) == """
                nonisolated extension Note: Daybook.Entity {
                    static let entityDescription = Daybook.EntityDescription("Note", [])

                    init(row: borrowing Daybook.RowReader) throws {
                        self.key = .init(objectId: row.id)
                    }

                    func encode(into row: inout Daybook.RowWriter) throws {}

                    var entityId: Daybook.Id {
                        get { self.key.objectId }
                        set { self.key = .init(objectId: newValue) }
                    }
                }
                """)
    }

    @Test func `an entityId in the declaration is not generated again`() {
        let text = code(declaresEntityId: true).extensionText(statingConformance: true)
        #expect(!text.contains("entityId:"))
    }

    @Test func `a struct has decode as a member, and a class also its initializers`() {
        #expect(
            code().memberTexts() == [
                """
                nonisolated static func decode(
                    _ row: borrowing Daybook.RowReader
                ) throws -> Self {
                    try Self(row: row)
                }
                """
            ])
        #expect(code(shape: .finalClass).memberTexts().count == 2)
        let members = code(shape: .finalClass, access: .package, emptyInitializer: .needed)
            .memberTexts()
        #expect(members.count == 3)
        #expect(members[0].hasPrefix("package nonisolated init(row: "))
        #expect(members[1].hasPrefix("package nonisolated static func decode("))
        #expect(members[2] == "package nonisolated init() {}")
        let overriding = code(shape: .finalClass, emptyInitializer: .overriding).memberTexts()
        #expect(overriding.last == "nonisolated override init() {}")
    }

    @Test func `the extension of a class contains no initializer`() {
        let text = code(shape: .finalClass).extensionText(statingConformance: true)
        #expect(!text.contains("init(row:"))
    }

    @Test(arguments: [EntityModel.Access.public, .package])
    func `every member of the extension has the access of the type`(access: EntityModel.Access) {
        let text = code(access: access).extensionText(statingConformance: true)
        let members = text.split(separator: "\n").filter { line in
            ["static let", "init(row", "func encode", "var entityId"]
                .contains { line.contains($0) }
        }
        #expect(members.count == 4)
        #expect(members.allSatisfy { $0.hasPrefix("    \(access.rawValue) ") })
    }

    @Test func `names are escaped in strings and have backticks in code`() {
        let property = EntityModel.Property(
            name: "my \"own\"", spelling: "`my \"own\"`", type: nil)
        let text = code(name: "A \"note\"", properties: [property])
            .extensionText(statingConformance: true)
        #expect(text.contains(#"Daybook.EntityDescription("A \"note\"", ["#))
        #expect(text.contains(#".property("my \"own\"", \Note.`my "own"`),"#))
        #expect(text.contains(#"self.`my "own"` = try row.read(0)"#))
        #expect(text.contains(#"try row.write(self.`my "own"`, at: 0)"#))
    }

    @Test func `code that names nested types is generated inside the nested declaration`() {
        var property = EntityModel.Property(name: "kind", spelling: "kind", type: "Kind")
        property.conversion = .fallback("Kind.first")
        let nested = code(qualifiedName: "Outer.Note", properties: [property])
        let members = nested.memberTexts()
        #expect(members.count == 4)
        #expect(members[1].contains(".property(\"kind\", Kind.self),"))
        #expect(members[2].contains("try row.write(self.kind, at: 0, default: Kind.first)"))
        #expect(members[3].contains("try row.read(0, default: Kind.first)"))
        let text = nested.extensionText(statingConformance: true)
        #expect(!text.contains("Kind"))
        #expect(text.contains("self.kind = try Self.storedValue(kind: row)"))
    }

    @Test func `positions number the properties in their order`() {
        let names = ["first", "second", "third"]
        let properties = names.map { EntityModel.Property(name: $0, spelling: $0, type: "Int") }
        let text = code(properties: properties).extensionText(statingConformance: true)
        for (position, name) in names.enumerated() {
            #expect(text.contains(".property(\"\(name)\", Int.self),"))
            #expect(text.contains("self.\(name) = try row.read(\(position))"))
            #expect(text.contains("try row.write(self.\(name), at: \(position))"))
        }
    }
}
#endif
