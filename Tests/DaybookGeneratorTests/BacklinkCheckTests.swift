#if Macros
import Testing

/// Backlinks whose other end is in the same module.
@Suite struct BacklinkCheckTests {
    /// A customer with the backlink `orders`, and an order with the property `customer`.
    private func module(
        _ backlink: String = "// objectbox: backlink = \"customer\"\n",
        property: String = "ToOne<Customer> = nil"
    ) -> GeneratedModule {
        GeneratedModule([
            "Customer.swift": "final class Customer: Entity {\n    var id: Id = 0\n"
                + "\(backlink)    var orders: ToMany<Order> = nil\n}",
            "Order.swift": "struct Order: Entity {\n    var id: Id = 0\n"
                + "    var customer: \(property)\n}\n"
                + "struct Seller: Entity { var id: Id = 0 }",
        ])
    }

    @Test func `both ends are written`() throws {
        let module = module()
        #expect(module.messages == [])
        let text = try #require(module.text)
        #expect(text.contains(#"[], .backlink("orders", \Order.customer, "customer"))"#))
        #expect(text.contains("object.orders = row.backlink(0)"))
        #expect(text.contains("try row.write(self.orders, backlink: 0)"))
        #expect(text.contains(".property(\"customer\", ToOne<Customer>.self),"))
        #expect(text.contains("self.customer = try row.read(0)"))
    }

    @Test(arguments: [
        "ToOne<Customer> = nil", "ToMany<Customer> = nil", "List<Customer>", "Other = nil",
        "ToOne<Elsewhere> = nil", "Reference<Customer> = nil",
    ])
    func `a relation that matches the backlink, or may match it, is accepted`(property: String) {
        #expect(module(property: property).messages == [])
    }

    @Test func `the error for a missing relation is at the backlink`() {
        let place = "/app/Customer.swift:4:9: error: backlink 'orders' names"
        #expect(
            module("// objectbox: backlink = \"custmer\"\n").messages == [
                "\(place) 'custmer', which is not a relation of 'Order': did you mean "
                    + "'customer'?"
            ])
        for origin in ["id", "x"] {
            let module = module("// objectbox: backlink = \"\(origin)\"\n")
            #expect(
                module.messages == [
                    "\(place) '\(origin)', which is not a relation of 'Order'"
                ])
            #expect(module.text == nil)
        }
        for property in ["Int", "String?", "[Customer]", "List<Int>"] {
            #expect(
                module(property: property).messages == [
                    "\(place) 'customer', which is not a relation of 'Order'"
                ])
        }
    }

    @Test(arguments: ["ToOne<Seller> = nil", "List<Seller>", "ToMany<Order> = nil"])
    func `the error for a relation to another type is at the backlink`(property: String) throws {
        let type = try #require(property.split { "<>".contains($0) }.dropFirst().first)
        #expect(
            module(property: property).messages == [
                "/app/Customer.swift:4:9: error: backlink 'orders' names 'Order.customer', "
                    + "whose target is '\(type)' and not 'Customer'"
            ])
    }

    @Test func `types are known by the names in their scope`() throws {
        let module = GeneratedModule(
            """
            enum Shop {
                final class Customer: Entity {
                    var id: Id = 0
                    // objectbox: backlink = "customer"
                    var orders: ToMany<Order> = nil
                    // objectbox: backlink = "customer"
                    var visits: ToMany<Visit> = nil
                }
                struct Order: Entity { var id: Id = 0; var customer: ToOne<Customer> = nil }
            }
            // objectbox: name = "Buyer"
            struct Customer: Entity { var id: Id = 0 }
            struct Visit: Entity { var id: Id = 0; var customer: ToOne<Customer> = nil }
            """)
        #expect(
            module.messages == [
                "/app/Models.swift:7:13: error: backlink 'visits' names 'Visit.customer', "
                    + "whose target is 'Customer' and not 'Shop.Customer'"
            ])
    }

    @Test func `the code of a nested type uses the full name of the other end`() throws {
        let module = GeneratedModule(
            """
            enum Shop {
                final class Customer: Entity {
                    var id: Id = 0
                    // objectbox: backlink = "customer"
                    var orders: ToMany<Order> = nil
                }
                struct Order: Entity { var id: Id = 0; var customer: ToOne<Customer> = nil }
            }
            """)
        #expect(module.messages == [])
        let text = try #require(module.text)
        #expect(text.contains(#".backlink("orders", \Shop.Order.customer, "customer")"#))
    }

    @Test func `types with a macro are compared as well`() {
        let module = GeneratedModule([
            "A.swift": "@Entity struct A {\n    var id: Id = 0\n"
                + "    @Backlink(\\B.c) var bs: ToMany<B>\n"
                + "    @Backlink(\\B.a) var others: ToMany<B>\n}",
            "B.swift": "@Entity struct B {\n    var id: Id = 0\n    var c: ToOne<B>\n"
                + "    var a: ToOne<A>\n}",
        ])
        #expect(
            module.messages == [
                "/app/A.swift:3:25: error: backlink 'bs' names 'B.c', whose target is 'B' and "
                    + "not 'A'"
            ])
    }

    @Test func `the macro reports errors of a type that it expands`() {
        let module = GeneratedModule("@Entity struct A { @Backlink(\"b\") var a: Int }")
        #expect(module.messages == [])
        #expect(module.entities == ["A"])
    }

    @Test(arguments: ["private", "fileprivate(set)"])
    func `a backlink that is private to its file is refused`(modifier: String) {
        let module = GeneratedModule(
            "struct A: Entity {\n    var id: Id = 0\n    // objectbox: backlink = \"b\"\n"
                + "    \(modifier) var bs: ToMany<B>\n}")
        #expect(module.messages.count == 1)
        #expect(
            module.messages.first?.hasPrefix("/app/Models.swift:4:5: error: property 'bs' is")
                == true)
    }
}
#endif
