#if Macros
import Testing

@Suite struct EntityMacroTests {
    @Test
    func `a public class gets initializers and decode as members and the rest in an extension`() {
        let expanded = ExpandedSource(
            """
            @Entity public final class Person {
                public var id: Id = 0
                public var name: String = ""
                var made = Date()
                @Transient var draft = ""
            }
            """)
        #expect(expanded.problems == [])
        #expect(
            expanded.text == """
                public final class Person {
                    public var id: Id = 0
                    public var name: String = ""
                    var made = Date()
                    var draft = ""

                    public nonisolated init(row: borrowing Daybook.RowReader) throws {
                        self.id = .init(objectId: row.id)
                        self.name = try row.read(0)
                        self.made = try row.read(1)
                    }

                    public nonisolated static func decode(
                        _ row: borrowing Daybook.RowReader
                    ) throws -> Self {
                        try Self(row: row)
                    }

                    public nonisolated init() {}
                }

                nonisolated extension Person: Daybook.Entity {
                    public static let entityDescription = Daybook.EntityDescription("Person", [
                        .property("name", String.self),
                        .property("made", \\Person.made),
                    ])

                    public func encode(into row: inout Daybook.RowWriter) throws {
                        try row.write(self.name, at: 0)
                        try row.write(self.made, at: 1)
                    }

                    public var entityId: Daybook.Id {
                        get { self.id.objectId }
                        set { self.id = .init(objectId: newValue) }
                    }

                    public nonisolated struct QueryProperties: Daybook.QueryableProperties {
                        public var id: Daybook.Property<Person, Id> {
                            Daybook.Property(identity: "id")
                        }
                        public var name: Daybook.Property<Person, String> {
                            Daybook.Property("name")
                        }
                        var made: Daybook.Property<Person, Date> {
                            Daybook.Property("made")
                        }
                        public init() {}
                    }
                }
                """)
    }

    @Test func `a nested struct gets members with type names, and an extension`() {
        let expanded = ExpandedSource(
            """
            enum A {
                @Entity struct B {
                    var id: EntityId<B> = 0
                    var title = makeTitle()
                    @Convert(default: Mood.calm) var mood: Mood
                }
            }
            """)
        #expect(
            expanded.text == """
                enum A {
                    struct B {
                        var id: EntityId<B> = 0
                        var title = makeTitle()
                        var mood: Mood

                        nonisolated static func decode(
                            _ row: borrowing Daybook.RowReader
                        ) throws -> Self {
                            try Self(row: row)
                        }

                        nonisolated static let entityDescription = Daybook.EntityDescription("B", [
                            .property("title", \\A.B.title),
                            .property("mood", Mood.self),
                        ])

                        nonisolated func encode(into row: inout Daybook.RowWriter) throws {
                            try row.write(self.title, at: 0)
                            try row.write(self.mood, at: 1, default: Mood.calm)
                        }

                        nonisolated fileprivate static func storedValue(
                            mood row: borrowing Daybook.RowReader
                        ) throws -> Mood {
                            try row.read(1, default: Mood.calm)
                        }

                        nonisolated struct QueryProperties: Daybook.QueryableProperties {
                            var id: Daybook.Property<A.B, EntityId<B>> {
                                Daybook.Property(identity: "id")
                            }
                            let title = Daybook.Property(\\A.B.title, "title")
                            var mood: Daybook.Property<A.B, Mood> {
                                Daybook.Property("mood")
                            }
                            init() {}
                        }
                    }
                }

                nonisolated extension A.B: Daybook.Entity {
                    init(row: borrowing Daybook.RowReader) throws {
                        self.id = .init(objectId: row.id)
                        self.title = try row.read(0)
                        self.mood = try Self.storedValue(mood: row)
                    }

                    var entityId: Daybook.Id {
                        get { self.id.objectId }
                        set { self.id = .init(objectId: newValue) }
                    }

                    typealias EntityIdType = Daybook.EntityId<A.B>
                }
                """)
    }

    @Test func `a stated conformance is not stated again`() {
        let expanded = ExpandedSource(
            "@Entity struct Note: Entity { var id: Id = 0 }", unstated: ["Embedded", "Event"])
        #expect(expanded.text.contains("nonisolated extension Note {"))
    }

    @Test func `an error is reported once although two macro roles read the class`() {
        let expanded = ExpandedSource(
            """
            @Entity
            final class Person {
                var name = ""
            }
            """)
        #expect(
            expanded.problems == [
                "2:13 error: entity 'Person' has no id property: add 'var id: Id = 0'"
            ])
    }

    @Test func `a declaration with an error gets no code`() {
        let expanded = ExpandedSource("@Entity class Person {\n    let id: Id = 0\n}")
        #expect(expanded.text == "class Person {\n    let id: Id = 0\n}")
        #expect(expanded.problems.count == 1)
    }

    @Test func `expansions are not formatted again`() {
        #expect(EntityMacro.formatMode == .disabled)
    }
}
#endif
