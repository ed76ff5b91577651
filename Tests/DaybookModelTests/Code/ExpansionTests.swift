#if Macros
import DaybookModel
import Testing

/// The complete generated code for each kind of type.
@Suite struct ExpansionTests {
    @Test func `every attribute and conversion appears in the generated code`() {
        let expanded = ExpandedSource(
            """
            @PrimaryKey("email")
            @Index("level", "role", kind: .hash)
            @Renamed(from: "Human")
            @Entity(name: "PERSON") struct Person {
                @Id(assignable: true) var key: UInt64
                @Name("mail") @Unique(onConflict: .replace) var email: String
                @Index(.hash) @Renamed(from: "rank", "grade") var level: String?
                @Convert(default: .unknown) var role = Role.author
                @Convert(ColorConverter.self, as: Int.self) var color: Color
                @Nanoseconds @Index var seen: Date?
                @Encoded var settings = Settings()
                @Encoded var extra: Extra?
                @Backlink(\\Order.customer) var orders: ToMany<Order> = nil
            }
            """)
        #expect(expanded.problems == [])
        #expect(expanded.text.hasSuffix(Self.person))
    }

    private static let person = """
        nonisolated extension Person: Daybook.Entity {
            static let entityDescription = Daybook.EntityDescription("PERSON", [
                .property("mail", String.self, .unique(onConflict: .replace), .declared("email")),
                .property("level", String?.self, .index(.hash), .renamed(from: "rank", "grade")),
                .property("role", \\Person.role),
                .converted("color", to: Int.self),
                .nanoseconds("seen", .index),
                .encoded("settings"),
                .encoded("extra"),
            ], .assignableIds, .primaryKey("mail"), .index("level", "role", kind: .hash), \
        .renamed(from: "Human"), .backlink("orders", \\Order.customer, "customer"))

            init(row: borrowing Daybook.RowReader) throws {
                self.key = .init(objectId: row.id)
                self.email = try row.read(0)
                self.level = try row.read(1)
                self.role = try row.read(2, default: .unknown)
                self.color = try row.read(3, converting: Int.self, with: ColorConverter.convert)
                self.seen = try row.readNanoseconds(4)
                self.settings = try row.readEncoded(5, default: Settings())
                self.extra = try row.readEncoded(6)
                self.orders = row.backlink(0)
            }

            func encode(into row: inout Daybook.RowWriter) throws {
                try row.write(self.email, at: 0)
                try row.write(self.level, at: 1)
                try row.write(self.role, at: 2, default: .unknown)
                try row.write(self.color, at: 3, converting: Int.self, with: ColorConverter.convert)
                try row.writeNanoseconds(self.seen, at: 4)
                try row.writeEncoded(self.settings, at: 5)
                try row.writeEncoded(self.extra, at: 6)
                try row.write(self.orders, backlink: 0)
            }

            var entityId: Daybook.Id {
                get { self.key.objectId }
                set { self.key = .init(objectId: newValue) }
            }

            nonisolated struct QueryProperties: Daybook.QueryableProperties {
                var key: Daybook.Property<Person, UInt64> {
                    Daybook.Property(identity: "key")
                }
                var email: Daybook.Property<Person, String> {
                    Daybook.Property("email")
                }
                var level: Daybook.Property<Person, String?> {
                    Daybook.Property("level")
                }
                let role = Daybook.Property(\\Person.role, "role")
                var color: Daybook.Property<Person, Color> {
                    Daybook.Property("color", converting: Int.self, with: ColorConverter.convert)
                }
                var seen: Daybook.Property<Person, Date?> {
                    Daybook.Property(nanoseconds: "seen")
                }
                let settings = Daybook.Property(\\Person.settings, encoded: "settings")
                var extra: Daybook.Property<Person, Extra?> {
                    Daybook.Property(encoded: "extra")
                }
                var orders: Daybook.Property<Person, ToMany<Order>> {
                    Daybook.Property("orders")
                }
                init() {}
            }
        }
        """

    @Test func `a subclass of Realm's Object is created and then assigned`() {
        let expanded = ExpandedSource(
            """
            @Entity public class Person: Object {
                @Persisted(primaryKey: true) var _id: ObjectId
                @Persisted var friends: List<Person>
                @Persisted(originProperty: "friends") var others: LinkingObjects<Person>
                override public class func propertiesMapping() -> [String: String] { [:] }
            }
            """)
        #expect(expanded.problems == [])
        #expect(
            expanded.text == """
                public class Person: Object {
                    @Persisted(primaryKey: true) var _id: ObjectId
                    @Persisted var friends: List<Person>
                    @Persisted(originProperty: "friends") var others: LinkingObjects<Person>
                    override public class func propertiesMapping() -> [String: String] { [:] }

                    public nonisolated static func decode(
                        _ row: borrowing Daybook.RowReader
                    ) throws -> Self {
                        let object = Self()
                        object.entityId = row.id
                        object._id = try row.read(0)
                        object.friends = try row.read(1)
                        object.others = row.backlink(0)
                        return object
                    }
                }

                nonisolated extension Person: Daybook.Entity {
                    public static let entityDescription = Daybook.EntityDescription("Person", [
                        .property("_id", ObjectId.self, .primaryKey),
                        .property("friends", List<Person>.self),
                    ], .mapped(Person.propertiesMapping()), \
                .backlink("others", \\Person.friends, "friends"))

                    public func encode(into row: inout Daybook.RowWriter) throws {
                        try row.write(self._id, at: 0)
                        try row.write(self.friends, at: 1)
                        try row.write(self.others, backlink: 0)
                    }

                    public nonisolated struct QueryProperties: Daybook.QueryableProperties {
                        var _id: Daybook.Property<Person, ObjectId> {
                            Daybook.Property("_id")
                        }
                        var friends: Daybook.Property<Person, List<Person>> {
                            Daybook.Property("friends")
                        }
                        var others: Daybook.Property<Person, LinkingObjects<Person>> {
                            Daybook.Property("others")
                        }
                        public init() {}
                    }
                }
                """)
    }

    @Test(arguments: [("EmbeddedObject", "Embedded"), ("AsymmetricObject", "Event")])
    func `Realm's other base classes have no id`(base: String, kind: String) {
        let expanded = ExpandedSource(
            "@\(kind) final class A: \(base) {\n    @Persisted var b = 1\n}")
        #expect(expanded.problems == [])
        #expect(expanded.text.contains("nonisolated extension A: Daybook.\(kind) {"))
        #expect(expanded.text.contains("let object = Self()\n        object.b = try row.read(0)"))
        #expect(!expanded.text.contains("entityId"))
    }

    @Test func `an embedded struct is an entity without an id`() {
        let expanded = ExpandedSource("@Embedded struct Address {\n    var city: String\n}")
        #expect(expanded.problems == [])
        #expect(
            expanded.text == """
                struct Address {
                    var city: String

                    nonisolated static func decode(
                        _ row: borrowing Daybook.RowReader
                    ) throws -> Self {
                        try Self(row: row)
                    }
                }

                nonisolated extension Address: Daybook.Embedded {
                    static let entityDescription = Daybook.EntityDescription("Address", [
                        .property("city", String.self),
                    ])

                    init(row: borrowing Daybook.RowReader) throws {
                        self.city = try row.read(0)
                    }

                    func encode(into row: inout Daybook.RowWriter) throws {
                        try row.write(self.city, at: 0)
                    }

                    nonisolated struct QueryProperties: Daybook.QueryableProperties {
                        var city: Daybook.Property<Address, String> {
                            Daybook.Property("city")
                        }
                        init() {}
                    }
                }
                """)
    }

    @Test func `an event without properties is an event`() {
        let expanded = ExpandedSource("@Event struct Started {}")
        #expect(expanded.problems == [])
        #expect(expanded.text.contains("nonisolated extension Started: Daybook.Event {"))
        #expect(expanded.text.contains("init(row: borrowing Daybook.RowReader) throws {}"))
    }

    @Test func `an initializer that a subclass could omit is required`() {
        let expanded = ExpandedSource("@Entity open class Note {\n    public var id: Id = 0\n}")
        #expect(expanded.problems == [])
        #expect(expanded.text.contains("    public nonisolated required init(row: "))
        #expect(expanded.text.contains("    public nonisolated init() {}"))
    }

    @Test(arguments: [
        ("struct", "get { 0 } nonmutating set {}"), ("final class", "get { 0 } set {}"),
    ])
    func `an invisible id generates no code`(keyword: String, accessors: String) {
        let expanded = ExpandedSource("@Entity \(keyword) A {\n    @PrimaryKey var b = 1\n}")
        #expect(expanded.problems == [])
        #expect(expanded.text.contains("    var entityId: Daybook.Id { \(accessors) }\n"))
        #expect(!expanded.text.contains("row.id"))
    }

    @Test func `two attributes of different kinds are reported once`() {
        let expanded = ExpandedSource("@Entity @Event struct A {\n    var id: Id = 0\n}")
        #expect(expanded.problems.count == 1)
        #expect(expanded.text == "struct A {\n    var id: Id = 0\n}")
    }

    // MARK: Another file

    private func extensionText(_ source: String) throws -> String {
        let read = try ReadSource(source, placement: .otherFile)
        #expect(read.problems == [])
        let model = try #require(read.model)
        let code = EntityCode(model, placement: .otherFile)
        #expect(code.memberTexts() == [])
        return code.extensionText(statingConformance: !model.statesConformance)
    }

    @Test func `in another file all code is in an extension`() throws {
        let text = try extensionText(
            """
            class User: Entity {
                var id: Id = 0
                // objectbox: convert = { "dbType": "Int", "converter": "Roles" }
                var role = Role.author
                required init() {}
            }
            """)
        #expect(
            text == """
                nonisolated extension User {
                    static let entityDescription = Daybook.EntityDescription("User", [
                        .converted("role", to: Int.self),
                    ])

                    static func decode(
                        _ row: borrowing Daybook.RowReader
                    ) throws -> Self {
                        let object = Self()
                        object.id = .init(objectId: row.id)
                        object.role = try row.read(0, converting: Int.self, with: Roles.convert)
                        return object
                    }

                    func encode(into row: inout Daybook.RowWriter) throws {
                        try row.write(self.role, at: 0, converting: Int.self, with: Roles.convert)
                    }

                    var entityId: Daybook.Id {
                        get { self.id.objectId }
                        set { self.id = .init(objectId: newValue) }
                    }

                    nonisolated struct QueryProperties: Daybook.QueryableProperties {
                        var id: Daybook.Property<User, Id> {
                            Daybook.Property(identity: "id")
                        }
                        let role = Daybook.Property(\\User.role, "role", \
                converting: Int.self, with: Roles.convert)
                        init() {}
                    }
                }
                """)
    }

    @Test func `in another file a struct keeps its initializer`() throws {
        let text = try extensionText(
            "// objectbox: entity\npublic struct Note {\n    var id: Id\n}")
        #expect(text.hasPrefix("nonisolated extension Note: Daybook.Entity {"))
        #expect(text.contains("    public init(row: borrowing Daybook.RowReader) throws {\n"))
        #expect(text.contains("    public static func decode(\n"))
        #expect(text.contains("        try Self(row: row)\n"))
    }
}
#endif
