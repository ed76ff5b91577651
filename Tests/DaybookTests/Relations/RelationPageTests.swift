import DaybookObjectBox
import Daybook
import DaybookTestSupport
import Testing

/// One-to-many, many-to-many and tree relations, used from both sides.
@Suite struct RelationPageTests {
    private let home: RelationStore

    init() throws { home = try RelationStore() }

    // MARK: One to many

    @Test func `a put of an order puts its new customer, too`() throws {
        let (customer, order) = (Customer("Ada"), Order("Shoes"))
        order.customer.target = customer
        #expect(try home.orders.put(order) == 1)
        #expect(try home.customers.count() == 1 && home.orders.count() == 1)
        #expect(customer.id == 1 && order.customer.targetId == 1)
        try home.everywhere { moment in
            let found = try #require(try home.orders.get(1))
            #expect(found.customer.targetId == 1, "\(moment)")
            #expect(found.customer.target?.name == "Ada", "\(moment)")
        }
    }

    @Test func `a relation can be removed in three ways, and each keeps the customer`() throws {
        let removals: [(Order) -> Void] = [
            { $0.customer.target = nil }, { $0.customer.targetId = nil }, { $0.customer = nil },
            { $0.customer = ToOne(nil) }, { $0.customer = ToOne<Customer>(target: nil) },
        ]
        let customer = Customer("Ada")
        try home.customers.put(customer)
        for remove in removals {
            let id = try home.orders.put(Order("Shoes", customer: customer))
            let order = try #require(try home.orders.get(id))
            #expect(order.customer.hasValue)
            remove(order)
            let records = try home.records { try home.orders.put(order) }
            #expect(records == ["put": 1, "unlink": 1])
            #expect(!order.customer.hasValue)
            #expect(try home.orders.get(id)?.customer.targetId == nil)
            #expect(try home.orders.get(id)?.customer.target == nil)
        }
        #expect(try home.customers.count() == 1)
        home.store.close()
    }

    @Test func `two new orders with the same new customer belong to that customer`() throws {
        let customer = Customer("Ada")
        let orders = [Order("Shoes", customer: customer), Order("Hat", customer: customer)]
        try home.orders.put(orders)
        #expect(customer.id == 1)
        #expect(try home.customers.count() == 1)
        try home.everywhere { moment in
            let found = try #require(try home.customers.get(1))
            #expect(found.orders.count == 2, "\(moment)")
            #expect(Array(found.orders).map(\.summary) == ["Shoes", "Hat"], "\(moment)")
            #expect(found.orders.map(\.customer.targetId) == [1, 1], "\(moment)")
        }
    }

    @Test func `a cascaded object knows its owner, whichever side was set`() throws {
        let order = Order("Shoes", customer: Customer("Ada"))
        try home.orders.put(order)
        #expect(order.customer.target?.orders.map(\.id) == [1])
        let grace = Customer("Grace")
        grace.orders.append(Order("Hat"))
        try home.customers.put(grace)
        #expect(grace.orders.first?.customer.targetId == 2)
        #expect(grace.orders.first?.customer.target?.name == "Grace")
        let student = Student("Emmy")
        student.teachers.append(Teacher("Ada"))
        try home.students.put(student)
        #expect(student.teachers.first?.students.count == 1)
        home.store.close()
    }

    @Test func `replacing the orders of a customer removes and adds links, and stores new orders`()
        throws
    {
        let (ada, old, gone) = (Customer("Ada"), Order("Hat"), Order("Gloves"))
        try home.orders.put([old, gone])
        ada.orders = [old, gone]
        try home.customers.put(ada)
        #expect(try home.orders.get(2)?.customer.targetId == 1)
        let found = try #require(try home.customers.get(1))
        let new = Order("Shoes")
        let records = try home.records {
            found.orders.replace([new, try #require(try home.orders.get(old.id))])
            try found.orders.applyToDb()
        }
        #expect(records == ["put": 1, "link": 1, "unlink": 1])
        #expect(new.id == 3)
        try home.everywhere { moment in
            let orders = try home.orders.all()
            #expect(orders.map(\.customer.targetId) == [1, nil, 1], "\(moment)")
            #expect(try home.customers.get(1)?.orders.map(\.id) == [1, 3], "\(moment)")
        }
    }

    @Test func `replacing the orders by an empty list removes no order`() throws {
        let ada = Customer("Ada")
        try home.orders.put([Order("Hat", customer: ada), Order("Shoes", customer: ada)])
        let found = try #require(try home.customers.get(1))
        found.orders.replace([])
        #expect(found.orders.isEmpty && found.orders.hasPendingDbChanges)
        try found.orders.applyToDb()
        #expect(!found.orders.hasPendingDbChanges)
        #expect(try home.orders.all().map(\.customer.hasValue) == [false, false])
        home.store.close()
    }

    @Test func `adding an order to another customer moves its link and writes no row`()
        throws
    {
        let (ada, bob) = (Customer("Ada"), Customer("Bob"))
        let order = Order("Hat", customer: ada)
        try home.orders.put(order)
        try home.customers.put(bob)
        // A stale copy does not overwrite the stored object.
        let stale = try #require(try home.orders.get(order.id))
        order.summary = "Top hat"
        try home.orders.put(order)
        let records = try home.records {
            bob.orders.append(stale)
            try bob.orders.applyToDb()
        }
        #expect(records == ["link": 1, "unlink": 1])
        let found = try #require(try home.orders.get(order.id))
        #expect(found.summary == "Top hat" && found.customer.target?.name == "Bob")
        #expect(try home.customers.get(ada.id)?.orders.isEmpty == true)
        home.store.close()
    }

    // MARK: Many to many

    @Test func `students and teachers are related from both sides`() throws {
        let teachers = [Teacher("Curie"), Teacher("Noether")]
        let students = [Student("Ada"), Student("Bob")]
        try home.students.put(students)
        students[0].teachers.append(teachers[0])
        students[0].teachers.append(teachers[1])
        students[1].teachers.append(teachers[1])
        try students[0].teachers.applyToDb()
        try students[1].teachers.applyToDb()
        #expect(teachers.map(\.id) == [1, 2])
        try home.everywhere { moment in
            let found = try home.students.all().map { $0.teachers.map(\.name) }
            #expect(found == [["Curie", "Noether"], ["Noether"]], "\(moment)")
            let back = try home.teachers.all().map { $0.students.map(\.name) }
            #expect(back == [["Ada"], ["Ada", "Bob"]], "\(moment)")
        }
    }

    @Test func `a removal and an addition from different sides are both stored`() throws {
        let (ada, curie, noether) = (Student("Ada"), Teacher("Curie"), Teacher("Noether"))
        ada.teachers = [curie, noether]
        try home.students.put(ada)
        let student = try #require(try home.students.get(ada.id))
        let teacher = try #require(try home.teachers.get(noether.id))
        #expect(teacher.students.count == 1)
        #expect(student.teachers.remove(at: 0).name == "Curie")
        #expect(try home.records { try student.teachers.applyToDb() } == ["unlink": 1])
        let bob = Student("Bob")
        teacher.students.append(bob)
        try teacher.students.applyToDb()
        #expect(bob.id == 2)
        #expect(try home.students.get(ada.id)?.teachers.map(\.name) == ["Noether"])
        #expect(try home.students.get(bob.id)?.teachers.map(\.name) == ["Noether"])
        #expect(try home.teachers.get(curie.id)?.students.isEmpty == true)
        #expect(try home.teachers.get(noether.id)?.students.map(\.name) == ["Ada", "Bob"])
        #expect(try home.teachers.count() == 2)
        home.store.close()
    }

    // MARK: Trees

    @Test func `a tree can be traversed in both directions`() throws {
        let root = TreeNode("root")
        let branch = TreeNode("branch", parent: root)
        try home.nodes.put([TreeNode("leaf", parent: branch), TreeNode("twig", parent: root)])
        try home.everywhere { moment in
            let all = try home.nodes.all()
            let found = try #require(all.first { $0.name == "root" })
            #expect(Set(found.children.map(\.name)) == ["branch", "twig"], "\(moment)")
            let leaf = try #require(all.first { $0.name == "leaf" })
            #expect(leaf.parent.target?.parent.target?.name == "root", "\(moment)")
            #expect(leaf.parent.target?.children.map(\.name) == ["leaf"], "\(moment)")
            #expect(found.parent.target == nil && leaf.children.isEmpty, "\(moment)")
        }
    }

    @Test func `a long chain and a circle of new objects are put`() throws {
        var node = TreeNode("0")
        for index in 1...50_000 { node = TreeNode("\(index)", parent: node) }
        try home.nodes.put(node)
        #expect(try home.nodes.count() == 50_001)
        let (one, other) = (TreeNode("one"), TreeNode("other"))
        one.parent.target = other
        other.parent.target = one
        one.children.append(other)
        try home.nodes.put(one)
        #expect(try home.nodes.count() == 50_003)
        #expect(try home.nodes.get(one.id)?.parent.targetId?.value == other.id)
        #expect(try home.nodes.get(other.id)?.parent.targetId?.value == one.id)
        let own = TreeNode("own")
        own.parent.target = own
        try home.nodes.put(own)
        #expect(try home.nodes.get(own.id)?.parent.targetId?.value == own.id)
        one.parent = nil
        other.parent = nil
        own.parent = nil
        home.store.close()
    }

    @Test func `a long chain of objects is released without recursion`() {
        weak var last: TreeNode?
        weak var lastLeaf: TreeNode?
        do {
            var node = TreeNode("0")
            last = node
            for index in 1...50_000 {
                let next = TreeNode("\(index)", parent: node)
                next.children.append(TreeNode("leaf"))
                if index == 1 { lastLeaf = next.children.first }
                node = next
            }
            #expect(last != nil && lastLeaf != nil && node.children.count == 1)
        }
        #expect(last == nil && lastLeaf == nil)
        home.store.close()
    }
}
