#if Macros
import Testing

/// Backlinks whose other end stands in the module too.
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
    func `what leads back, or may lead back, is fine`(property: String) {
        #expect(module(property: property).messages == [])
    }

    @Test func `a relation that is missing is named at the backlink`() {
        let place = "/app/Customer.swift:4:9: error: backlink 'orders' reads"
        #expect(
            module("// objectbox: backlink = \"custmer\"\n").messages == [
                "\(place) 'custmer' backwards, which is no relation of 'Order': did you mean "
                    + "'customer'?"
            ])
        for origin in ["id", "x"] {
            let module = module("// objectbox: backlink = \"\(origin)\"\n")
            #expect(
                module.messages == [
                    "\(place) '\(origin)' backwards, which is no relation of 'Order'"
                ])
            #expect(module.text == nil)
        }
        for property in ["Int", "String?", "[Customer]", "List<Int>"] {
            #expect(
                module(property: property).messages == [
                    "\(place) 'customer' backwards, which is no relation of 'Order'"
                ])
        }
    }

    @Test(arguments: ["ToOne<Seller> = nil", "List<Seller>", "ToMany<Order> = nil"])
    func `a relation that leads elsewhere is named at the backlink`(property: String) throws {
        let type = try #require(property.split { "<>".contains($0) }.dropFirst().first)
        #expect(
            module(property: property).messages == [
                "/app/Customer.swift:4:9: error: backlink 'orders' reads 'Order.customer' "
                    + "backwards, which leads to '\(type)' and not to 'Customer'"
            ])
    }

    @Test func `types are known by the names that their surroundings give them`() throws {
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
                "/app/Models.swift:7:13: error: backlink 'visits' reads 'Visit.customer' "
                    + "backwards, which leads to 'Customer' and not to 'Shop.Customer'"
            ])
    }

    @Test func `the code of a nested type names the other end from outside`() throws {
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
                "/app/A.swift:3:25: error: backlink 'bs' reads 'B.c' backwards, which leads to "
                    + "'B' and not to 'A'"
            ])
    }

    @Test func `what is wrong in a type with a macro is the macro's to say`() {
        let module = GeneratedModule("@Entity struct A { @Backlink(\"b\") var a: Int }")
        #expect(module.messages == [])
        #expect(module.entities == ["A"])
    }

    @Test(arguments: ["private", "fileprivate(set)"])
    func `a backlink that the file hides is refused`(modifier: String) {
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
