#if Macros
import Testing

@Suite struct ProjectionTests {
    /// Expects one message about a source, and no generated code.
    private func expect(
        _ source: String, _ message: String, at location: SourceLocation = #_sourceLocation
    ) {
        let module = GeneratedModule(source)
        #expect(module.messages == ["/app/Models.swift:\(message)"], sourceLocation: location)
        #expect(module.text == nil, sourceLocation: location)
    }

    @Test func `a class without a macro gets the code of the macro, and no store registers it`() {
        let module = GeneratedModule(
            #"""
            import Daybook
            import Shop
            class Excerpt: Projection<Person> {
                @Projected(\Person.firstName) var firstName
                @Projected(\Person.pets.projectTo.name)
                var pets: ProjectedCollection<String>
                var note = ""
            }
            """#)
        #expect(module.messages == [])
        #expect(module.imports == ["import Daybook", "import Shop"])
        #expect(module.entities == [])
        #expect(
            module.text?.hasSuffix(
                #"""

                // MARK: Models.swift

                nonisolated extension Excerpt: Daybook.EntityProjection {
                    convenience init(projecting root: Person) {
                        self.init(of: root)
                        self.firstName = root.firstName
                        self.pets = root.pets.projectTo.name
                    }

                    static var projectedProperties: [String]? {
                        ["firstName", "pets"]
                    }

                    static func decode(
                        _ row: borrowing Daybook.ProjectionReader<Person>
                    ) throws -> Self {
                        let object = Self(row: row)
                        object.firstName = try row.read(\Person.firstName, named: "firstName")
                        object.pets = try row.read(\Person.pets, named: "pets").projectTo.name
                        return object
                    }

                    func apply(to root: inout Person) throws {
                        var changes = Daybook.ProjectedChanges(of: root)
                        try changes.note(self.firstName, at: \Person.firstName, named: "firstName")
                        try changes.note(self.pets, at: \Person.pets.projectTo.name, named: "pets")
                        changes.make(in: &root)
                    }
                }

                """#) == true)
    }

    @Test func `a struct names its entity, states its conformance, and may omit values`() {
        let module = GeneratedModule(
            #"""
            public struct Excerpt: EntityProjection {
                public typealias Root = Person
                public var id: Id
                @Projected(\Person.address?.city) public var city: String?
                public var firstName: String
                // objectbox: transient
                var isSelected = false
            }
            """#)
        #expect(module.messages == [])
        #expect(module.extensions == ["nonisolated extension Excerpt {"])
        #expect(
            module.text?.contains(
                #"""
                    public init(row: borrowing Daybook.ProjectionReader<Person>) throws {
                        self.id = .init(objectId: row.id)
                        self.firstName = try row.read(\Person.firstName, named: "firstName")
                        self.city = try row.read(\Person.address, named: "address")?.city
                    }
                """#) == true)
        #expect(module.text?.contains("public func apply(to root: inout Person)") == true)
    }

    @Test(arguments: [
        "Projection<Person>", "Daybook.Projection<Person>", "RealmSwift.Projection<Person>",
        "Projection<Person>, Hashable",
    ])
    func `a class is found by its base class`(bases: String) {
        let module = GeneratedModule("class A: \(bases) {}")
        #expect(module.messages == [])
        #expect(
            module.extensions == ["nonisolated extension A: Daybook.EntityProjection {"])
    }

    @Test(arguments: [
        "class A: Projection {}", "class A: Projection<P, Q> {}", "class A: Maps.Projection<P> {}",
        "class A: Hashable, Projection<P> {}", "struct A: Projection<P> {}",
        "class Projection<T> {}\nclass A: Projection<P> {}", "class A: EntityProjection {}",
        "protocol A: EntityProjection {}", "extension A: EntityProjection {}",
        "struct A: EntityProjection { var a: Int }",
        "@Projection class A: Projection<P> {}",
        "@Projection(of: P.self) struct A: EntityProjection { @Projected(\\P.a) var a: Int }",
    ])
    func `a type that only resembles a projection, or has a macro, is ignored`(source: String) {
        let module = GeneratedModule(source)
        #expect(module.messages == [])
        #expect(module.extensions == [])
    }

    @Test(arguments: [
        "extension Outer.A: EntityProjection { static func decode() {} }",
        "#if DEBUG\n#if os(Linux)\n#else\nextension Outer.A { static func decode() {} }\n#endif\n"
            + "#endif",
    ])
    func `a projection with a handwritten conformance gets no code`(other: String) {
        let module = GeneratedModule([
            "A.swift": """
            enum Outer {
                class A: Projection<P> {}
                class B: Projection<P> { class func decode() {} }
                class C: Projection<P> {}
            }
            """,
            "B.swift": other,
        ])
        #expect(module.messages == [])
        #expect(
            module.extensions == ["nonisolated extension Outer.C: Daybook.EntityProjection {"])
    }

    @Test(arguments: [
        #"\Person.name"#, #"\Pages.Person.name"#, #"\App.Pages.Person.name"#, #"\.name"#,
    ])
    func `the entity of a nested type has its full name in every spelling of a path`(path: String) {
        let module = GeneratedModule(
            """
            enum Pages {
                class Person: Object { @Persisted var name: String }
                class A: Projection<Person> { @Projected(\(path)) var name }
            }
            """)
        #expect(module.messages == [])
        let read = #"object.name = try row.read(\Pages.Person.name, named: "name")"# + "\n"
        #expect(module.text?.contains(read) == true)
        #expect(module.text?.contains("apply(to root: inout Pages.Person)") == true)
        #expect(module.entities == ["Pages.Person"])
    }

    @Test(arguments: [
        (
            "public enum Outer { public class A: Projection<P> {} }",
            "    public static func decode("
        ),
        ("public enum Outer { class A: Projection<P> {} }", "    static func decode("),
        ("enum Outer { public class A: Projection<P> {} }", "    static func decode("),
        ("public extension Outer { class A: Projection<P> {} }", "    public static func decode("),
    ])
    func `the code has the access of the type`(source: String, line: String) {
        let module = GeneratedModule("public import Daybook\n" + source)
        #expect(module.messages == [])
        #expect(module.text?.split(separator: "\n").contains(Substring(line)) == true)
        let isPublic = line.contains("public")
        #expect(module.imports == [isPublic ? "public import Daybook" : "internal import Daybook"])
    }

    @Test func `an error is reported at its location`() {
        let path =
            "error: 'x' needs a path that begins with a property of the entity, such as "
            + #"'@Projected(\P.x)'"#
        expect("class A: Projection<P> {\n    @Projected(path) var x\n}", "2:5: \(path)")
        expect(
            "class A<T>: Projection<P> {}",
            "1:8: error: projection 'A' cannot be generic: it names the properties of one entity")
        expect(
            #"struct A: EntityProjection { @Projected(\P.x) var x: Int }"#,
            "1:8: error: which entity is 'A' a projection of? Add 'typealias Root = Entity'")
        expect(
            "class A: Projection<P> {\n#if DEBUG\n    @Projected(\\.x) var x: Int\n#endif\n}",
            "3:25: error: 'x' is inside '#if', which is not evaluated: move it out")
        expect(
            "class A: Projection<P> {\n    // objectbox: transint\n    var x = 1\n}",
            "2:19: error: comment with unknown annotation 'transint': did you mean 'transient'?")
    }

    @Test(arguments: ["A", "Outer.A"])
    func `a projection that adds paths to another one is refused`(base: String) {
        let bases = [
            "class A: Projection<P> {}\n", "@Projection class A: Projection<P> {}\n",
            "enum Outer { class A: Daybook.Projection<P> {} }\n",
        ]
        for source in bases {
            expect(
                source + "class B: \(base) { @Projected(\\P.x) var x }",
                "2:7: error: which entity is 'B' a projection of? Let it inherit from "
                    + "'Projection<Entity>'")
            #expect(GeneratedModule(source + "class B: \(base) { var x = 1 }").messages == [])
        }
        let unrelated = GeneratedModule("class A {}\nclass B: A { @Projected(\\P.x) var x }")
        #expect(unrelated.messages == [])
        #expect(unrelated.extensions == [])
    }

    @Test func `a misspelled comment is reported`() {
        expect(
            "// objectbox: entty\nclass A: Projection<P> {}",
            "1:15: error: comment with unknown annotation 'entty': did you mean 'entity'?")
    }

    @Test func `a path that the generated file cannot access is refused`() {
        let see = "so the generated file cannot access it: remove 'private'"
        let write = "or write @Projection, which is expanded in place"
        expect(
            "private class A: Projection<P> {}",
            "1:1: error: projection 'A' is private, \(see), \(write)")
        expect(
            "#if DEBUG\nclass A: Projection<P> {}\n#endif",
            "2:7: error: projection 'A' is inside '#if', and the generator does not know which "
                + "branch is compiled: move it out, \(write)")
        expect(
            "func f() { class A: Projection<P> {} }",
            "1:18: error: projection 'A' is declared inside a function, where the generated file "
                + "cannot access it: move it out")
        expect(
            #"class A: Projection<P> { @Projected(\.x) private var x: Int }"#,
            "1:42: error: property 'x' is private, \(see), \(write)")
        expect(
            #"class A: Projection<P> { @Projected(\.x) private(set) var x: Int }"#,
            "1:42: error: property 'x' is private(set), so the generated file cannot set it: "
                + "remove 'private(set)', \(write)")
    }
}
#endif
