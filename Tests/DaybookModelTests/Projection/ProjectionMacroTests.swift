#if Macros
import Testing

@Suite struct ProjectionMacroTests {
    @Test
    func `a struct reads the properties of its paths, annotated ones last, and writes them back`() {
        let source = ProjectionSource(
            """
            @Projection(of: Person.self) public struct Summary {
                public var id: Id
                @Projected(\\Person.home?.city) public var city: String?
                public var firstName: String
                public let `class`: Int
                @Projected(\\Person.tags.projectTo.name) var tags: [String]
                @Transient var isSelected = false
                let kind = 1
                static let other = 2
                var computed: Int { 3 }
            }
            """)
        #expect(source.problems == [])
        #expect(
            source.written == """
                nonisolated extension Summary: Daybook.EntityProjection {
                    public init(row: borrowing Daybook.ProjectionReader<Person>) throws {
                        self.id = .init(objectId: row.id)
                        self.firstName = try row.read(\\Person.firstName, named: "firstName")
                        self.`class` = try row.read(\\Person.`class`, named: "class")
                        self.city = try row.read(\\Person.home, named: "home")?.city
                        self.tags = try row.read(\\Person.tags, named: "tags").projectTo.name
                    }

                    public init(projecting root: Person) {
                        self.id = .init(objectId: root.entityId)
                        self.firstName = root.firstName
                        self.`class` = root.`class`
                        self.city = root.home?.city
                        self.tags = root.tags.projectTo.name
                    }

                    public static var projectedProperties: [String]? {
                        ["firstName", "class", "home", "tags"]
                    }

                    public static func decode(
                        _ row: borrowing Daybook.ProjectionReader<Person>
                    ) throws -> Self {
                        try Self(row: row)
                    }

                    public func apply(to root: inout Person) throws {
                        var changes = Daybook.ProjectedChanges(of: root)
                        try changes.note(self.city, at: \\Person.home?.city, named: "city")
                        try changes.note(self.firstName, at: \\Person.firstName, named: "firstName")
                        try changes.note(self.tags, at: \\Person.tags.projectTo.name, named: "tags")
                        changes.make(in: &root)
                    }
                }
                """)
    }

    @Test func `a class reads only annotated properties`() {
        let source = ProjectionSource(
            """
            @Projection class PersonProjection: Daybook.Projection<Person> {
                @Projected(\\Person.firstName) var firstName
                var note = ""
            }
            """)
        #expect(source.problems == [])
        #expect(
            source.written == """
                nonisolated extension PersonProjection: Daybook.EntityProjection {
                    convenience init(projecting root: Person) {
                        self.init(of: root)
                        self.firstName = root.firstName
                    }

                    static var projectedProperties: [String]? {
                        ["firstName"]
                    }

                    static func decode(
                        _ row: borrowing Daybook.ProjectionReader<Person>
                    ) throws -> Self {
                        let object = Self(row: row)
                        object.firstName = try row.read(\\Person.firstName, named: "firstName")
                        return object
                    }

                    func apply(to root: inout Person) throws {
                        var changes = Daybook.ProjectedChanges(of: root)
                        try changes.note(self.firstName, at: \\Person.firstName, named: "firstName")
                        changes.make(in: &root)
                    }
                }
                """)
    }

    @Test(arguments: [
        (#"\Person.name"#, #"(\Outer.Person.name, named: "name")"#),
        (#"\Outer.Person.name"#, #"(\Outer.Person.name, named: "name")"#),
        (#"\App.Outer.Person.name"#, #"(\Outer.Person.name, named: "name")"#),
        (#"\.name"#, #"(\Outer.Person.name, named: "name")"#),
        (#"\Person.a!.b"#, #"(\Outer.Person.a, named: "a")!.b"#),
        (#"\Person.a[0].b"#, #"(\Outer.Person.a, named: "a")[0].b"#),
        (#"\Outer.Person.a?.b?.c"#, #"(\Outer.Person.a, named: "a")?.b?.c"#),
    ])
    func `the projection reads the first step of a path, and takes the rest from its value`(
        path: String, read: String
    ) {
        let source = ProjectionSource(
            "@Projection(of: Outer.Person.self) struct A { @Projected(\(path)) var x: Int }")
        #expect(source.problems == [])
        #expect(source.written.contains("self.x = try row.read\(read)\n"))
    }

    @Test func `a comment excludes a property like the attribute`() {
        let source = ProjectionSource(
            """
            @Projection(of: P.self) struct A {
                // objectbox: transient
                var isSelected = false
                var a: Int
            }
            """)
        #expect(source.problems == [])
        #expect(source.written.contains("self.a = "))
        #expect(!source.written.contains("isSelected"))
    }

    @Test func `a default value is before the path`() {
        let source = ProjectionSource(
            #"@Projection(of: P.self) struct A { @Projected(\P.a) var x = 1 }"#)
        #expect(source.written.contains(#"self.x = try row.read(\P.a, named: "a")"#))
    }

    @Test func `a stated conformance is not stated again, and an empty projection gets no code`() {
        let source = ProjectionSource(
            "@Projection(of: P.self) struct A: EntityProjection { let kind = 1 }", unstated: [])
        #expect(
            source.written == """
                nonisolated extension A {
                    init(row: borrowing Daybook.ProjectionReader<P>) throws {}

                    init(projecting root: P) {}

                    static var projectedProperties: [String]? {
                        []
                    }

                    static func decode(
                        _ row: borrowing Daybook.ProjectionReader<P>
                    ) throws -> Self {
                        try Self(row: row)
                    }

                    func apply(to root: inout P) throws {}
                }
                """)
    }

    @Test(arguments: [
        (
            "@Projection(of: P.self) enum A {}",
            "1:25 a projection is a struct, or a subclass of 'Projection', which 'A' is not"
        ),
        (
            "@Projection struct A {}",
            "1:20 which entity is 'A' a projection of? Write '@Projection(of: Entity.self)'"
        ),
        (
            "@Projection class A: B {}",
            "1:19 which entity is 'A' a projection of? Let it inherit from 'Projection<Entity>'"
        ),
        (
            "@Projection(of: P.self) struct A<T> {}",
            "1:33 projection 'A' cannot be generic: it names the properties of one entity"
        ),
        (
            "@Projection(of: P.self) struct A {\n#if DEBUG\nvar x = 1\n#endif\n}",
            "3:5 'x' is inside '#if', which is not evaluated: move it out"
        ),
        (
            #"@Projection(of: P.self) struct A { @Transient @Projected(\P.x) var x: Int }"#,
            "1:68 'x' is projected and transient: remove one of them"
        ),
        (
            "@Projection(of: P.self) struct A { @Projected(path) var x: Int }",
            #"1:36 'x' needs a path that begins with a property of the entity, such as "#
                + #"'@Projected(\P.x)'"#
        ),
        (
            #"@Projection(of: P.self) struct A { @Projected(\P[0]) var x: Int }"#,
            #"1:36 'x' needs a path that begins with a property of the entity, such as "#
                + #"'@Projected(\P.x)'"#
        ),
    ])
    func `an error is reported at its location, and no code is generated`(
        text: String, problem: String
    ) {
        let source = ProjectionSource(text)
        #expect(source.problems == [problem])
        #expect(source.written == "")
    }
}
#endif
