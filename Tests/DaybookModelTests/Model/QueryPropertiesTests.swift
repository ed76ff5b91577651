#if Macros
import DaybookModel
import Testing

/// The static members that represent properties in conditions.
@Suite struct QueryPropertiesTests {
    private func read(
        _ members: String, head: String = "@Entity struct A",
        placement: CodePlacement = .declaration
    ) throws -> [EntityModel.Descriptor] {
        let read = try ReadSource("\(head) {\n\(members)\n}", placement: placement)
        #expect(read.problems == [])
        return try #require(read.model).descriptors
    }

    @Test func `the id, every stored property and every backlink has a query property`() throws {
        let found = try read(
            """
            var id: Id = 0
            var `default`: Int
            @Transient var left = 1
            let fixed = 1
            static var shared = 1
            var computed: Int { 1 }
            @Transient lazy var late = 1
            @Transient weak var other: Thing?
            var first, second: Int
            @Backlink(\\B.a) var bs: ToMany<B> = nil
            """)
        #expect(found.map(\.name) == ["id", "default", "first", "second", "bs"])
        #expect(found.map(\.spelling) == ["id", "`default`", "first", "second", "bs"])
        #expect(found.map(\.type) == ["Id", "Int", "Int", "Int", "ToMany<B>"])
        #expect(found.map(\.content) == [.identity] + Array(repeating: .stored(nil), count: 4))
    }

    @Test func `only persisted properties of Realm's classes have query properties`() throws {
        let found = try read(
            "@Persisted var a = 1\nvar b = 2\n@Persisted var c: List<Int>",
            head: "@Entity class A: Object")
        #expect(found.map(\.name) == ["a", "c"])
        #expect(found.map(\.type) == [nil, "List<Int>"])
    }

    @Test func `an event has no query properties`() throws {
        #expect(try read("var a: Int", head: "@Event struct A") == [])
        #expect(!ExpandedSource("@Event struct A { var a: Int }").text.contains("QueryProp"))
    }

    @Test(arguments: [
        "transient", "index", "unique", "primaryKey", "name = \"x\"", "encoded", "uid = 7", "id",
        "convert = {\"default\": \".x\"}", "convert = {\"dbType\": \"Int\", \"converter\": \"C\"}",
    ])
    func `a comment does not change the set of query properties or their types`(comment: String)
        throws
    {
        // Only an enum can have a default.
        let property = comment.contains("default") ? "a: Role = .x" : "a: Int64 = 1"
        func facts(_ comment: String) throws -> [String?] {
            try read("var id: Id = 0\n\(comment)\nvar \(property)\nvar b = made()")
                .flatMap { [$0.name, $0.spelling, $0.type, $0.access.rawValue] }
        }
        #expect(try facts("// objectbox: \(comment)") == facts("// Nothing."))
    }

    @Test func `the query property of a property that a comment excludes reports this`() throws {
        let source = "var id: Id = 0\n// objectbox: transient\nvar a = 1"
        #expect(try read(source).last?.content == .unstored)
        let expanded = ExpandedSource("@Entity struct A {\n\(source)\n}")
        #expect(expanded.problems == [])
        #expect(expanded.text.contains("Daybook.Property(unstored: \"a\")"))
        #expect(try read(source, placement: .otherFile).map(\.name) == ["id"])
    }

    @Test(arguments: [
        ("", "var a: Int", ""), ("", "public var a: Int", ""),
        ("public ", "public var a: Int", "public"), ("public ", "var a: Int", ""),
        ("public ", "package var a: Int", "package"),
        ("package ", "public var a: Int", "package"), ("", "package var a: Int", ""),
        ("public ", "internal var a: Int", ""), ("public ", "private var a: Int", "fileprivate"),
        ("public ", "private(set) public var a: Int", "public"),
        ("", "fileprivate var a: Kind", "fileprivate"), ("", "private var a: Kind", "fileprivate"),
    ])
    func `a query property has the access of the type and the property`(
        access: String, member: String, expected: String
    ) throws {
        let found = try read("var id: Id = 0\n\(member)", head: "@Entity \(access)struct A")
        #expect(found.last?.access.rawValue == expected)
    }

    @Test func `a private property of an unnameable type has no query property`() throws {
        let hidden = try read("var id: Id = 0\nprivate enum K {}\nprivate var a: [K]\nvar b: Int")
        #expect(hidden.map(\.name) == ["id", "b"])
        let nested = ExpandedSource(
            """
            enum Outer {
                private enum K: Int { case a }
                @Entity struct A { var id: Id = 0; private var k: K; private var n: Int }
            }
            """)
        #expect(nested.problems == [])
        #expect(nested.text.contains("fileprivate var n: Daybook.Property<Outer.A, Int>"))
        #expect(!nested.text.contains("var k: Daybook.Property"))
    }

    @Test(arguments: [
        ("1", "Int"), ("1.5", "Double"), ("\"a\"", "String"), ("true", "Bool"),
        ("Date()", "Date"), ("UUID()", "UUID"), ("-1", nil), ("1 + 1", nil), ("[1]", nil),
        ("Int(\"1\")", nil), ("URL(string: \"a\")", nil), ("Thing()", nil), ("made()", nil),
        (".one", nil), ("nil as Int?", nil),
    ])
    func `the type of an initial value is used only if it is certain`(
        value: String, type: String?
    ) throws {
        #expect(try read("var id: Id = 0\nvar a = \(value)").last?.type == type)
        #expect(try read("var id: Id = 0\n@Clamped(1) var a = \(value)").last?.type == nil)
    }

    @Test func `the compiler infers a type that uses Self`() throws {
        let expanded = ExpandedSource(
            "@Entity struct A { var id: EntityId<Self> = 0; var b: ToOne<Self> }")
        #expect(expanded.text.contains("let id = Daybook.Property(\\A.id, identity: \"id\")"))
        #expect(expanded.text.contains("let b = Daybook.Property(\\A.b, \"b\")"))
    }

    @Test func `in another file the compiler infers types inside a nested type`() throws {
        let read = try ReadSource(
            "enum Outer { @Entity struct A { var id: Id; var n: Int; var k: Kind } }",
            placement: .otherFile)
        #expect(read.model?.descriptors.map(\.type) == [nil, "Int", nil])
    }

    @Test func `members for leading dots state their types`() throws {
        let read = try ReadSource(
            "public struct A: Entity { public var id: Id = 0; public var n: Int; var m = f() }",
            placement: .otherFile)
        let model = try #require(read.model)
        #expect(
            EntityCode(model, placement: .otherFile).leadingDotText() == """
                nonisolated extension Daybook.Property where Root == A {
                    public static var id: Daybook.Property<A, Id> {
                        A.QueryProperties().id
                    }
                    public static var n: Daybook.Property<A, Int> {
                        A.QueryProperties().n
                    }
                }
                """)
    }
}
#endif
