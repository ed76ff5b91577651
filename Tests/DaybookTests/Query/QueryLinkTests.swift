@testable import Daybook
import DaybookObjectBox
import DaybookRealm
import DaybookRealmModels
import DaybookTestSupport
import Foundation
import Testing

extension Customer {
    static var id: Daybook.Property<Customer, Id> { Property(identity: "id") }
    static var name: Daybook.Property<Customer, String> { Property("name") }
    static var orders: Daybook.Property<Customer, ToMany<Order>> { Property("orders") }
}
extension Order {
    static var id: Daybook.Property<Order, Id> { Property(identity: "id") }
    static var summary: Daybook.Property<Order, String> { Property("summary") }
    static var customer: Daybook.Property<Order, ToOne<Customer>> { Property("customer") }
}
extension Student {
    static var name: Daybook.Property<Student, String> { Property("name") }
    static var teachers: Daybook.Property<Student, ToMany<Teacher>> { Property("teachers") }
}
extension Teacher {
    static var name: Daybook.Property<Teacher, String> { Property("name") }
    static var students: Daybook.Property<Teacher, ToMany<Student>> { Property("students") }
}
extension TreeNode {
    static var name: Daybook.Property<TreeNode, String> { Property("name") }
    static var parent: Daybook.Property<TreeNode, ToOne<TreeNode>> { Property("parent") }
    static var children: Daybook.Property<TreeNode, ToMany<TreeNode>> { Property("children") }
}

@Suite struct QueryLinkTests {
    @Test func `a path may continue from a to-one relation to a to-many relation`() throws {
        let store = try RelationStore()
        let (root, one, two) = (TreeNode("root"), TreeNode("one"), TreeNode("two"))
        (one.parent.target, two.parent.target) = (root, root)
        let leaf = TreeNode("leaf")
        leaf.parent.target = one
        try store.nodes.put([root, one, two, leaf])
        func names(_ condition: Condition<TreeNode>) throws -> [String] {
            try store.nodes.query(condition).find().map(\.name).sorted()
        }
        #expect(try names(TreeNode.children.name == "two") == ["root"])
        #expect(try names(TreeNode.parent.children.name == "two") == ["one", "two"])
        #expect(try names(TreeNode.parent[member: \.children.name] == "two") == ["one", "two"])
        #expect(try names(TreeNode.parent.parent.children.name == "two") == ["leaf"])
        #expect(try names(TreeNode.children.children.name == "leaf") == ["root"])
        #expect(try names(TreeNode.parent.children.count > 1) == ["one", "two"])
    }

    @Test func `a value across a to-many relation is no value of each object`() throws {
        let store = try RelationStore()
        // Both ends have a name, so the intended one is ambiguous.
        let all = store.students.query()
        expectError(.invalidArgument) { _ = try all.ordered(by: \.teachers.name).find() }
        expectError(.invalidArgument) { _ = try all.distinct(by: \.teachers.name).find() }
        expectError(.invalidArgument) { _ = try all.property(\.teachers.name).find() }
        expectError(.invalidArgument) { _ = try all.sections(by: \.teachers.name) }
        expectError(.invalidArgument) { _ = try all.groups(by: \.teachers.name).find(.count) }
        expectError(.invalidArgument) {
            _ = try store.students.query(Student.teachers.name == Student.name).find()
        }
        expectError(.invalidArgument) {
            _ = try store.students.query(Student.name < Student.teachers.name).find()
        }
    }

    @Test func `groups have no value across a to-many relation`() throws {
        let store = try RelationStore()
        try store.customers.put(Customer("Ada"))
        let groups = store.customers.query().groups(by: \.name)
        expectError(.invalidArgument) { _ = try groups.find(.count(\.orders.summary)) }
        expectError(.invalidArgument) {
            _ = try groups.ordered(by: { $0.count(\.orders.summary) }).find(.count)
        }
        expectError(.invalidArgument) {
            _ = try groups.having { $0.count(\.orders.summary) > 0 }.find(.count)
        }
        let most = try groups.find(.max(\.orders.count))
        #expect(most.map(\.values) == [0])
    }

    /// Ada has pen and ink, Bob has ink, Cid has nothing; one order has no customer.
    private func shop() throws -> RelationStore {
        let store = try RelationStore()
        let (ada, bob, cid) = (Customer("Ada"), Customer("Bob"), Customer("Cid"))
        try store.customers.put([ada, bob, cid])
        try store.orders.put([
            Order("pen", customer: ada), Order("ink", customer: ada), Order("ink", customer: bob),
            Order("cup"),
        ])
        return store
    }

    @Test func `a condition on a to-one relation tests its target`() throws {
        let store = try shop()
        func ids(_ condition: Condition<Order>) throws -> [Id] {
            try store.orders.query(condition).findIds().map(\.value)
        }
        #expect(try ids(Order.customer.name == "Ada") == [1, 2])
        #expect(try ids(Order.customer.name != "Ada") == [3, 4])
        #expect(try ids(!(Order.customer.name == "Ada")) == [3, 4])
        #expect(try ids(Order.customer.link { Customer.name == "Ada" }) == [1, 2])
        #expect(try ids(Order.customer.link { $0.name.startsWith("B") }) == [3])
        #expect(try ids(Order.customer.name == nil) == [4])
        #expect(try ids(Order.customer == nil) == [4])
        #expect(try ids(Order.customer != nil) == [1, 2, 3])
        #expect(try ids(Order.customer.isNil()) == [4])
        #expect(try ids(Order.customer == 2) == [3])
        #expect(try ids(Order.customer == EntityId<Customer>(1)) == [1, 2])
        #expect(try ids(Order.customer != EntityId<Customer>(1)) == [3, 4])
        #expect(try ids(Order.customer.isEqual(to: Id(2))) == [3])
        #expect(try ids(Order.customer.isNotEqual(to: Id(1))) == [3, 4])
        #expect(try ids(Order.customer.isIn([2, 3])) == [3])
        let bob = try #require(try store.customers.get(2))
        #expect(try ids(Order.customer == bob) == [3])
        #expect(try ids(Order.customer.isEqual(to: bob)) == [3])
        #expect(try ids(Order.customer.isIn([2, 3])) == [3])
        #expect(try ids(Order.customer.targetId == 2) == [3])
        #expect(try ids(Order.customer.id > 1) == [3])
        #expect(try ids(Order.summary == "ink" && Order.customer.name == "Ada") == [2])
        #expect(try ids(Order.summary == "cup" || Order.customer.name == "Bob") == [3, 4])
        let built = try store.orders.query { Order.summary == "ink" }
            .link(Order.customer) { Customer.name == "Ada" }.ordered(by: Order.id).build()
        #expect(try built.findIds().map(\.value) == [2])
        #expect(
            try store.customers.query().link(Customer.orders) { Order.summary == "pen" }.build()
                .find().map(\.name) == ["Ada"])
        try store.customers.remove(2)
        #expect(try ids(Order.customer == nil) == [3, 4])
    }

    @Test func `a condition on a backlink tests any, all or none of its objects`() throws {
        let store = try shop()
        func names(_ condition: Condition<Customer>) throws -> [String] {
            try store.customers.query(condition).find().map(\.name)
        }
        #expect(try names(Customer.orders.summary == "pen") == ["Ada"])
        #expect(try names(Customer.orders.link { Order.summary == "ink" }) == ["Ada", "Bob"])
        #expect(try names(Customer.orders.any { $0.summary == "ink" }) == ["Ada", "Bob"])
        #expect(try names(Customer.orders.all { $0.summary == "ink" }) == ["Bob", "Cid"])
        #expect(try names(Customer.orders.none { $0.summary == "pen" }) == ["Bob", "Cid"])
        #expect(try names(!(Customer.orders.summary == "pen")) == ["Bob", "Cid"])
        #expect(try names(Customer.orders.count == 2) == ["Ada"])
        #expect(try names(Customer.orders.count < 2) == ["Bob", "Cid"])
        #expect(try names(Customer.orders.contains(3)) == ["Bob"])
        #expect(try names(Customer.orders.id.max == 3) == ["Bob"])
        #expect(try names(Customer.orders.id.min == nil) == ["Cid"])
        #expect(try names(Customer.orders.customer.name == "Bob") == ["Bob"])
        #expect(
            try names(Customer.orders.any { $0.customer.orders.count == 1 }) == ["Bob"])
    }

    @Test func `to-many relations are queried from both ends`() throws {
        let store = try RelationStore()
        let (ann, ben) = (Teacher("Ann"), Teacher("Ben"))
        let (sam, tim, uma) = (Student("Sam"), Student("Tim"), Student("Uma"))
        sam.teachers.append(ann)
        sam.teachers.append(ben)
        tim.teachers.append(ben)
        try store.students.put([sam, tim, uma])
        func students(_ condition: Condition<Student>) throws -> [String] {
            try store.students.query(condition).find().map(\.name)
        }
        func teachers(_ condition: Condition<Teacher>) throws -> [String] {
            try store.teachers.query(condition).find().map(\.name)
        }
        #expect(try students(Student.teachers.name == "Ben") == ["Sam", "Tim"])
        #expect(try students(Student.teachers.all { $0.name == "Ben" }) == ["Tim", "Uma"])
        #expect(try students(Student.teachers.count == 0) == ["Uma"])
        #expect(
            try students(Student.teachers.name == "Ann" && Student.teachers.name == "Ben")
                == ["Sam"])
        #expect(try teachers(Teacher.students.name == "Sam") == ["Ann", "Ben"])
        #expect(try teachers(Teacher.students.count > 1) == ["Ben"])
        #expect(
            try teachers(Teacher.students.any { $0.teachers.all { $0.name == "Ben" } }) == ["Ben"])
        #expect(try teachers(Teacher.students.teachers.name == "Ann") == ["Ann", "Ben"])
    }

    @Test func `relations are followed to any depth, including cycles`() throws {
        let store = try RelationStore()
        var last: TreeNode?
        for number in 0..<5 {
            let node = TreeNode("n\(number)", parent: last)
            try store.nodes.put(node)
            last = node
        }
        func names(_ condition: Condition<TreeNode>) throws -> [String] {
            try store.nodes.query(condition).find().map(\.name)
        }
        #expect(try names(TreeNode.parent.parent.parent.name == "n1") == ["n4"])
        #expect(try names(TreeNode.parent.parent == nil) == ["n0", "n1"])
        #expect(try names(TreeNode.children.children.name == "n4") == ["n2"])
        #expect(try names(TreeNode.parent.children.parent.name == "n2") == ["n3"])
        let sorted = store.nodes.query().ordered(by: \.parent.name, flags: .descending)
        #expect(try sorted.find().map(\.name) == ["n0", "n4", "n3", "n2", "n1"])
    }

    @Test func `relations of structs are queried like other relations`() throws {
        let store = try Store(
            directoryPath: "memory:bills-\(UUID().uuidString)", entities: Bill.self)
        let payers = store.box(for: Customer.self)
        try payers.put([Customer("Ada"), Customer("Bob"), Customer("Cid")])
        try store.box(for: Bill.self).put([
            Bill(payer: Reference(targetId: 1), readers: [2, 3]),
            Bill(payer: Reference(targetId: 2), readers: [3]), Bill(payer: nil, readers: []),
        ])
        func ids(_ condition: Condition<Bill>) throws -> [Id] {
            try store.box(for: Bill.self).query(condition).findIds().map(\.value)
        }
        #expect(try ids(Bill.payer.name == "Ada") == [1])
        #expect(try ids(Bill.payer == 2) == [2])
        #expect(try ids(Bill.payer == nil) == [3])
        #expect(try ids(Bill.payer == Reference(targetId: 1)) == [1])
        #expect(try ids(Bill.payer.isIn([Reference(targetId: 1), nil])) == [1, 3])
        #expect(try ids(Bill.readers.name == "Bob") == [1])
        #expect(try ids(Bill.readers.all { $0.name == "Cid" }) == [2, 3])
        #expect(try ids(Bill.readers.count > 1) == [1])
        #expect(try ids(Bill.readers.contains(3)) == [1, 2])
        #expect(throws: DaybookError.self) { try ids(Bill.readers == [3]) }
    }

    @Test func `lists and linking objects are queried like other relations`() throws {
        let store = try Store(
            directoryPath: "memory:dogs-\(UUID().uuidString)", entities: Dog.self, Owner.self)
        let (rex, lou) = (Dog("Rex"), Dog("Lou"))
        let (eve, max) = (Owner("Eve"), Owner("Max"))
        eve.dogs.append(rex)
        eve.dogs.append(rex)
        eve.dogs.append(lou)
        max.dogs.append(lou)
        max.friends.append(eve)
        try store.box(for: Owner.self).put([eve, max])
        func owners(_ condition: Condition<Owner>) throws -> [String] {
            try store.box(for: Owner.self).query(condition).find().map(\.firstName)
        }
        func dogs(_ condition: Condition<Dog>) throws -> [String] {
            try store.box(for: Dog.self).query(condition).find().map(\.name)
        }
        #expect(try owners(Owner.dogs.name == "Rex") == ["Eve"])
        #expect(try owners(Owner.dogs.all { $0.name == "Lou" }) == ["Max"])
        #expect(try owners(Owner.dogs.count == 3) == ["Eve"])
        #expect(try owners(Owner.friends.dogs.name == "Rex") == ["Max"])
        #expect(try dogs(Dog.owners.firstName == "Eve") == ["Rex", "Lou"])
        #expect(try dogs(Dog.owners.count == 2) == ["Lou"])
    }
}

struct Bill: Entity, Sendable {
    var id: Id = 0
    var payer: Reference<Customer> = nil
    var readers: References<Customer> = nil

    init(payer: Reference<Customer>, readers: References<Customer>) {
        self.payer = payer
        self.readers = readers
    }

    static let entityDescription = EntityDescription(
        "Bill",
        [
            .property("payer", Reference<Customer>.self),
            .property("readers", References<Customer>.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Bill {
        var bill = Bill(payer: try row.read(0), readers: try row.read(1))
        bill.id = row.id
        return bill
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(payer, at: 0)
        try row.write(readers, at: 1)
    }
    var entityId: Id {
        get { id }
        set { id = newValue }
    }

    static var payer: Daybook.Property<Bill, Reference<Customer>> { Property("payer") }
    static var readers: Daybook.Property<Bill, References<Customer>> { Property("readers") }
}
