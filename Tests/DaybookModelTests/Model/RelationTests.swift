#if Macros
import DaybookModel
import Testing

/// The model of relations and backlinks in every spelling.
@Suite struct RelationTests {
    private func model(_ member: String) throws -> EntityModel {
        let read = try ReadSource("@Entity final class Note { var id: Id = 0\n\(member) }")
        #expect(read.problems == [])
        return try #require(read.model)
    }

    private func rules(
        onDelete: String? = nil, onTargetDelete: String? = nil, removesOrphans: Bool? = nil
    ) -> RelationRules {
        var rules = RelationRules()
        rules.onDelete = onDelete
        rules.onTargetDelete = onTargetDelete
        rules.removesOrphans = removesOrphans
        return rules
    }

    // MARK: Relations

    @Test(
        arguments: [
            ("var a: ToOne<B> = nil", "ToOne<B>", .objects(of: "B")),
            (
                "var a: Daybook.ToMany<Outer.B> = nil", "Daybook.ToMany<Outer.B>",
                .objects(of: "Outer.B")
            ),
            ("var a: ToMany<B>", "ToMany<B>", .objects(of: "B")),
            ("var a = ToMany<B>()", nil, .objects(of: "B")),
            ("var a: Reference<B> = nil", "Reference<B>", .objects(of: "B")),
            ("var a: References<B> = nil", "References<B>", .objects(of: "B")),
            ("var a: List<B>", "List<B>", .objects(of: "B")),
            ("var a: List<String>", "List<String>", .nowhere),
            ("var a: Map<String, B?>", "Map<String, B?>", .objects(of: "B")),
            ("var a: Map<String, Int?>", "Map<String, Int?>", .nowhere),
            ("var a: Orders = nil", "Orders", .unknown),
            ("var a: Int", "Int", .nowhere),
            ("var a: [B]", "[B]", .nowhere),
        ] as [(String, String?, EntityModel.Destination)])
    func `a relation is a property in declaration order`(
        source: String, type: String?, destination: EntityModel.Destination
    ) throws {
        let note = try model("var first = 1; \(source); var last = 2")
        #expect(note.properties.map(\.name) == ["first", "a", "last"])
        #expect(note.properties[1].type == type)
        #expect(note.properties[1].destination == destination)
        #expect(note.properties[1].attributes == [])
        #expect(note.backlinks == [])
    }

    @Test func `rules are passed on as written`() throws {
        let cases: [(String, RelationRules)] = [
            ("@Relation", rules()),
            ("@Relation(onDelete: .cascade)", rules(onDelete: "cascade")),
            ("@Relation(onTargetDelete: DeleteRule.deny)", rules(onTargetDelete: "deny")),
            (
                "@Relation(onDelete: .nullify, removesOrphans: true)",
                rules(onDelete: "nullify", removesOrphans: true)
            ),
            (
                "// objectbox: relation = {\"onDelete\": \"cascade\", \"onTargetDelete\": "
                    + "\"deny\", \"removesOrphans\": false}\n",
                rules(onDelete: "cascade", onTargetDelete: "deny", removesOrphans: false)
            ),
            (
                "@Relation(onDelete: .deny) /* objectbox: relation = {\"removesOrphans\": true} */",
                rules(onDelete: "deny", removesOrphans: true)
            ),
        ]
        for (mark, rules) in cases {
            for type in ["ToOne<B>", "ToMany<B>", "Reference<B>", "List<B>", "Others"] {
                let property = try #require(model("\(mark) var a: \(type)").properties.first)
                #expect(property.attributes == [.relation(rules)])
            }
        }
    }

    @Test func `the description of a relation contains its rules`() throws {
        let expanded = ExpandedSource(
            """
            @Entity final class Order {
                var id: Id = 0
                @Relation(onDelete: .cascade, onTargetDelete: .deny, removesOrphans: true)
                @Name("buyer") var customer: ToOne<Customer> = nil
                @Relation var lines = ToMany<Line>()
            }
            """)
        #expect(expanded.problems == [])
        #expect(
            expanded.text.contains(
                """
                    static let entityDescription = Daybook.EntityDescription("Order", [
                        .property("buyer", ToOne<Customer>.self, .relation(onDelete: .cascade, \
                onTargetDelete: .deny, removesOrphans: true), .declared("customer")),
                        .property("lines", \\Order.lines, .relation()),
                    ])
                """))
        #expect(expanded.text.contains("self.lines = try row.read(1)"))
        #expect(expanded.text.contains("try row.write(self.lines, at: 1)"))
    }

    // MARK: Backlinks

    @Test(
        arguments: [
            ("@Backlink(\\Order.customer) var orders: ToMany<Order> = nil", "Order", "customer"),
            (
                "@Backlink(\\Shop.Order.customer) var orders: ToMany<Order>", "Shop.Order",
                "customer"
            ),
            ("@Backlink(\\.customer) var orders: ToMany<Order>", "Order", "customer"),
            ("@Backlink(\\Order.`default`) var orders: ToMany<Order>", "Order", "default"),
            (
                "@Backlink(\"customer\") var orders: ToMany<Shop.Order> = nil", "Shop.Order",
                "customer"
            ),
            ("@Backlink(\"customer\") var orders = ToMany<Order>()", "Order", "customer"),
            (
                "// objectbox: backlink = \"customer\"\n    var orders: ToMany<Order> = nil",
                "Order", "customer"
            ),
            (
                "/* objectbox: backlink = \"customer\" */ @Backlink(\\Order.customer) "
                    + "var orders: ToMany<Order>", "Order", "customer"
            ),
            ("@Backlink(\\Order.customer) var orders: Orders = nil", "Order", "customer"),
            ("@Backlink(\"customer\") var orders: LinkingObjects<Order>", "Order", "customer"),
        ])
    func `a backlink is not a property of the row`(
        source: String, target: String, origin: String
    ) throws {
        let note = try model(source)
        #expect(note.properties == [])
        let backlink = try #require(note.backlinks.first)
        #expect(note.backlinks.count == 1)
        #expect(backlink.name == "orders" && backlink.spelling == "orders")
        #expect(backlink.target == target && backlink.origin == origin)
        #expect(backlink.rules == rules())
    }

    @Test(arguments: [
        "@Backlink(\\B.a, onDelete: .cascade, removesOrphans: true)",
        "@Backlink(\"a\", onDelete: .cascade, removesOrphans: true)",
        "// objectbox: backlink = \"a\", "
            + "relation = {\"onDelete\": \"cascade\", \"removesOrphans\": true}\n",
        "@Backlink(\"a\", onDelete: .cascade) "
            + "/* objectbox: relation = {\"removesOrphans\": true} */",
    ])
    func `a backlink has the rules of its other end`(mark: String) throws {
        let backlink = try #require(model("\(mark) var bs: ToMany<B> = nil").backlinks.first)
        #expect(backlink.rules == rules(onDelete: "cascade", removesOrphans: true))
    }

    @Test func `backlinks are numbered separately, in their order`() {
        let expanded = ExpandedSource(
            """
            @Entity struct Customer {
                var id: Id = 0
                // objectbox: backlink = "customer", relation = {"onDelete": "cascade"}
                var orders: ToMany<Order>
                var name = ""
                private var friends: ToMany<Customer> = nil
                @Backlink(\\Customer.friends, removesOrphans: true) var `in`: ToMany<Customer>
                @Backlink("the owner") var dogs: ToMany<Dog>
            }
            """)
        #expect(expanded.problems == [])
        #expect(expanded.text.hasSuffix(Self.customer))
    }

    private static let customer = """
        nonisolated extension Customer: Daybook.Entity {
            static let entityDescription = Daybook.EntityDescription("Customer", [
                .property("name", \\Customer.name),
                .property("friends", ToMany<Customer>.self),
            ], .backlink("orders", \\Order.customer, "customer", onDelete: .cascade), \
        .backlink("in", \\Customer.friends, "friends", removesOrphans: true), \
        .backlink("dogs", \\Dog.`the owner`, "the owner"))

            init(row: borrowing Daybook.RowReader) throws {
                self.id = .init(objectId: row.id)
                self.name = try row.read(0)
                self.friends = try row.read(1)
                self.orders = row.backlink(0)
                self.`in` = row.backlink(1)
                self.dogs = row.backlink(2)
            }

            func encode(into row: inout Daybook.RowWriter) throws {
                try row.write(self.name, at: 0)
                try row.write(self.friends, at: 1)
                try row.write(self.orders, backlink: 0)
                try row.write(self.`in`, backlink: 1)
                try row.write(self.dogs, backlink: 2)
            }

            var entityId: Daybook.Id {
                get { self.id.objectId }
                set { self.id = .init(objectId: newValue) }
            }

            nonisolated struct QueryProperties: Daybook.QueryableProperties {
                var id: Daybook.Property<Customer, Id> {
                    Daybook.Property(identity: "id")
                }
                var orders: Daybook.Property<Customer, ToMany<Order>> {
                    Daybook.Property("orders")
                }
                var name: Daybook.Property<Customer, String> {
                    Daybook.Property("name")
                }
                fileprivate var friends: Daybook.Property<Customer, ToMany<Customer>> {
                    Daybook.Property("friends")
                }
                var `in`: Daybook.Property<Customer, ToMany<Customer>> {
                    Daybook.Property("in")
                }
                var dogs: Daybook.Property<Customer, ToMany<Dog>> {
                    Daybook.Property("dogs")
                }
                init() {}
            }
        }
        """

    @Test func `an entity with only backlinks reads and writes them`() {
        let expanded = ExpandedSource(
            """
            @Entity final class Tag {
                var id: Id = 0
                @Backlink("tags") var notes: ToMany<Note> = nil
            }
            """)
        #expect(expanded.problems == [])
        #expect(
            expanded.text.contains(
                #"EntityDescription("Tag", [], .backlink("notes", \Note.tags, "tags"))"#))
        #expect(expanded.text.contains("self.notes = row.backlink(0)\n"))
        #expect(expanded.text.contains("throws {\n        try row.write(self.notes, backlink: 0)"))
    }

    @Test func `the backlinks of a nested type are named inside that type`() {
        let expanded = ExpandedSource(
            """
            enum Shop {
                @Entity struct Customer {
                    var id: Id = 0
                    @Backlink("customer") var orders: ToMany<Order>
                }
            }
            """)
        #expect(expanded.problems == [])
        let parts = expanded.text.split(separator: "nonisolated extension", maxSplits: 1)
        #expect(parts.count == 2)
        #expect(parts.first?.contains(#".backlink("orders", \Order.customer, "customer")"#) == true)
        #expect(parts.first?.contains("try row.write(self.orders, backlink: 0)") == true)
        #expect(parts.last?.contains("self.orders = row.backlink(0)") == true)
        #expect(parts.last?.contains("Order.customer") == false)
    }

    @Test func `the name of a backlink is no stored name`() throws {
        let note = try model(
            "@Name(\"bs\") var a: String; @Backlink(\"note\") var bs: ToMany<B> = nil")
        #expect(note.properties.map(\.storedName) == ["bs"])
        #expect(note.backlinks.map(\.name) == ["bs"])
    }
}
#endif
