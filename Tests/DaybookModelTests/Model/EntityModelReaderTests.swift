#if Macros
import DaybookModel
import Testing

@Suite struct EntityModelReaderTests {
    private func model(_ source: String) throws -> EntityModel {
        let read = try ReadSource(source)
        #expect(read.problems == [])
        return try #require(read.model)
    }

    private func properties(_ members: String) throws -> [EntityModel.Property] {
        try model("@Entity struct Note {\n    var id: Id = 0\n    \(members)\n}").properties
    }

    // MARK: The type

    @Test func `name and shape come from the declaration`() throws {
        let note = try model("@Entity struct Note { var id: Id = 0 }")
        #expect(note.name == "Note" && note.qualifiedName == "Note" && note.shape == .structure)
        let person = try model("@Entity final class Person { var id: Id = 0 }")
        #expect(person.name == "Person" && person.shape == .finalClass)
        let open = try model("@Entity open class Person { var id: Id = 0 }")
        #expect(open.shape == .inheritableClass && open.access == .public)
    }

    @Test func `enclosing types and extensions are part of the qualified name`() throws {
        let source = "extension A.B { enum `C d` { @Entity struct Note { var id: Id = 0 } } }"
        let note = try model(source)
        #expect(note.name == "Note")
        #expect(note.qualifiedName == "A.B.`C d`.Note")
    }

    @Test(arguments: [
        ("public", EntityModel.Access.public), ("package", .package), ("internal", .inherited),
        ("fileprivate", .inherited), ("private", .inherited), ("", .inherited),
    ])
    func `the access of a type comes from its declaration`(
        modifier: String, expected: EntityModel.Access
    ) throws {
        let note = try model("@Entity \(modifier) struct Note { var id: Id = 0 }")
        #expect(note.access == expected)
    }

    @Test func `the access of a type may come from the extension directly around it`() throws {
        let inside = "@Entity struct Note { var id: Id = 0 }"
        #expect(try model("public extension Outer { \(inside) }").access == .public)
        #expect(try model("package extension Outer { \(inside) }").access == .package)
        #expect(try model("public extension Outer { enum E { \(inside) } }").access == .inherited)
        #expect(try model("public enum Outer { \(inside) }").access == .inherited)
        let own = "@Entity internal struct Note { var id: Id = 0 }"
        #expect(try model("public extension Outer { \(own) }").access == .inherited)
    }

    // MARK: Stored properties

    @Test func `stored variables except the id are in the order of the declaration`() throws {
        let note = try model(
            """
            @Entity struct Note {
                var first: Int
                var id: Id = 0
                var second: [String: Int?] = [:]
                private(set) var third: Swift.String
            }
            """)
        #expect(note.identity == .property("id"))
        #expect(note.properties.map(\.name) == ["first", "second", "third"])
        #expect(note.properties.map(\.spelling) == ["first", "second", "third"])
        #expect(note.properties.map(\.type) == ["Int", "[String: Int?]", "Swift.String"])
        #expect(note.properties.map(\.hasPlainType) == [true, false, true])
    }

    @Test func `static, computed, transient and constant properties are not stored`() throws {
        let found = try properties(
            """
            static var shared = 1
                var double: Int { 2 }
                var both: Int { get { 1 } set {} }
                var read: Int { _read { yield 1 } }
                @Transient var draft = 1
                @Daybook.Transient var other: Int? { didSet {} }
                @Transient lazy var late = 1
                let constant = 1
                let one = 1, two = 2
            """)
        #expect(found == [])
    }

    @Test func `a property with observers is stored`() throws {
        let found = try properties(
            """
            var after: Int { didSet { print(after) } }
                var before = 1 { willSet {} didSet {} }
            """)
        #expect(found.map(\.name) == ["after", "before"])
        #expect(found.map(\.type) == ["Int", nil])
    }

    @Test func `several names in one declaration are several properties`() throws {
        let found = try properties("var a = 1, b = \"two\", c: Bool, d: Int = 3")
        #expect(found.map(\.name) == ["a", "b", "c", "d"])
        #expect(found.map(\.type) == [nil, nil, "Bool", "Int"])
    }

    @Test func `variables without a type annotation have the type that follows them`() throws {
        let found = try properties("var a, b: Int, c = 1, d, e: Bool, f: String = \"\"")
        #expect(found.map(\.type) == ["Int", "Int", nil, "Bool", "Bool", "String"])
    }

    @Test func `backticks are part of the spelling and not of the name`() throws {
        let found = try properties("var `class`: Int\n    var `my \"own\"`: Int")
        #expect(found.map(\.name) == ["class", "my \"own\""])
        #expect(found.map(\.spelling) == ["`class`", "`my \"own\"`"])
    }

    @Test(arguments: [
        ("Int!", "Int?"), ("any Shape", "(any Shape)"), ("A & B", "(A & B)"),
        ("(Int) -> Void", "((Int) -> Void)"), ("(Int, Int)", "(Int, Int)"),
        ("Set< Int >", "Set< Int >"), ("Int??", "Int??"),
    ])
    func `a type is written as an expression that may be followed by self`(
        written: String, expression: String
    ) throws {
        #expect(try properties("var value: \(written)").first?.type == expression)
    }

    @Test(arguments: ["[_]", "_", "[String: _]"])
    func `a type with a placeholder is left to the compiler`(written: String) throws {
        let found = try properties("var value: \(written) = make()")
        #expect(found.count == 1 && found.first?.type == nil)
    }

    @Test func `standard types are distinguished because they are visible everywhere`() throws {
        let note = try model(
            """
            enum Outer {
                @Entity struct Note {
                    var id: Id = 0
                    var a: Int?
                    var kind: Kind
                    var kinds: [Kind]
                }
            }
            """)
        #expect(note.properties.map(\.type) == ["Int?", "Kind", "[Kind]"])
        #expect(note.properties.map(\.hasPlainType) == [true, false, false])
        let elsewhere = EntityCode(note, placement: .otherFile)
        let text = elsewhere.extensionText(statingConformance: true)
        #expect(text.contains(#".property("a", Int?.self)"#))
        #expect(text.contains(#".property("kind", \Outer.Note.kind)"#))
    }

    // MARK: The id

    @Test(arguments: [
        ("var id: Id = 0", "id"),
        ("var key: Id = 0", "key"),
        ("var key: Daybook.Id = 0", "key"),
        ("var key: EntityId<Note> = 0", "key"),
        ("var key: Daybook.EntityId<Outer.Note> = 0", "key"),
        ("var key: EntityId<Self> = 0", "key"),
        ("var key: Id = 0; var owner: EntityId<Person>", "key"),
        ("var id: UUID; var key: Id = 0", "key"),
        ("var id: Id = 0; var parent: Id; var other: EntityId<Note>", "id"),
        ("var id: NoteId = 0", "id"),
        ("var id = Id(0)", "id"),
        ("var id: UInt64 = 0", "id"),
        ("var `id`: Id = 0", "`id`"),
        ("@Transient var key: Id = 0; var id: NoteId", "id"),
    ])
    func `the id is found by its type, or else by its name`(
        members: String, expected: String
    ) throws {
        let note = try model("@Entity struct Note { \(members) }")
        #expect(note.identity == .property(expected))
        #expect(!note.properties.contains { $0.spelling == expected })
        #expect(!note.declaresEntityId)
    }

    @Test(arguments: [
        "var entityId: Id = 0",
        "var entityId: Daybook.Id = 0",
        "var id: Id = 0; var entityId: Id { get { id } set { id = newValue } }",
    ])
    func `an entityId in the declaration is not generated again`(members: String) throws {
        #expect(try model("@Entity struct Note { \(members) }").declaresEntityId)
    }

    @Test func `a static entityId is not an id`() throws {
        let source = "@Entity struct Note { var id: Id = 0; static var entityId: Int { 1 } }"
        #expect(try !model(source).declaresEntityId)
    }

    // MARK: The empty initializer

    @Test(arguments: [
        ("var name = \"\"", true),
        ("var name: String?", true),
        ("var name: String!", true),
        ("let constant = 1; @Transient lazy var late = 1; static var shared: Int", true),
        ("convenience init(name: String) { self.init() }", true),
        ("var name: String", false),
        ("var name: Optional<String>", false),
        ("@Wrapped var name: String", false),
        ("init(name: String) {}", false),
        ("convenience init() { self.init(name: 1) }", false),
        ("#if DEBUG\ninit(name: String) {}\n#endif\n", false),
        ("@Transient @Wrapped var draft: Int", false),
    ])
    func `a class keeps the empty initializer that the compiler would generate`(
        members: String, expected: Bool
    ) throws {
        let note = try model("@Entity final class Note { var id: Id = 0; \(members) }")
        #expect(note.emptyInitializer == (expected ? .needed : .unneeded))
    }

    @Test func `a struct keeps its own initializers`() throws {
        let note = try model("@Entity struct Note { var id: Id = 0 }")
        #expect(note.emptyInitializer == .unneeded)
    }

    @Test(arguments: ["NSObject", "Foundation.NSObject"])
    func `the empty initializer of an NSObject is an override`(superclass: String) throws {
        let head = "@Entity final class Note: \(superclass)"
        #expect(try model("\(head) { var id: Id = 0 }").emptyInitializer == .overriding)
        let written = "var id: Id = 0; override init() {}"
        #expect(try model("\(head) { \(written) }").emptyInitializer == .unneeded)
    }
}
#endif
