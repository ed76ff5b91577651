#if Macros
import DaybookObjectBox
import Testing

/// The calls that ObjectBox's pages on relations, ids and enums show. Foundation is imported by
/// DaybookObjectBox.
@Suite struct DocumentedCallTests {
    private let store: Store
    private let customers: Box<Customer>
    private let orders: Box<Order>

    init() throws {
        store = try Store(directoryPath: "memory:calls-\(UUID().uuidString)")
        customers = store.box(for: Customer.self)
        orders = store.box(for: Order.self)
    }

    @Test func `a put of an order also puts its customer, and links two orders to it`() throws {
        #expect(try customers.isEmpty() && orders.isEmpty())
        let customer = Customer()
        let one = Order(summary: "Shoes")
        one.customer.target = customer
        let id = try orders.put(one)
        #expect(try customers.count() == 1 && orders.count() == 1)
        #expect(id.value == one.id)
        let other = Order(summary: "Hat", customer: ToOne(target: customer))
        try orders.put([one, other])
        #expect(customer.id != 0)
        #expect(try customers.get(customer.id)?.orders.count == 2)
    }

    @Test(arguments: 0..<4) func `each way to remove a relation removes it`(way: Int) throws {
        let order = Order(summary: "Shoes", customer: ToOne(target: Customer()))
        try orders.put(order)
        switch way {
        case 0: order.customer.target = nil
        case 1: order.customer.targetId = nil
        case 2: order.customer = nil
        default: order.customer = ToOne<Customer>(target: nil)
        }
        try orders.put(order)
        let found = try #require(try orders.get(order.id))
        #expect(found.customer.target == nil && found.customer.targetId == nil)
        #expect(try customers.count() == 1)
    }

    @Test func `a backlink is a collection, and is replaced and emptied`() throws {
        let customer = Customer()
        try customers.put(customer)
        let old = Order(summary: "Hat", customer: ToOne(target: customer))
        let gone = Order(summary: "Coat", customer: ToOne(target: customer))
        try orders.put([old, gone])
        let found = try #require(try customers.get(customer.id))
        #expect(Array(found.orders).map(\.summary) == ["Hat", "Coat"])
        let new = Order(summary: "Shoes")
        found.orders.replace([new, old])
        try found.orders.applyToDb()
        #expect(new.id != 0)
        #expect(try orders.get(new.id)?.customer.target?.id == customer.id)
        #expect(try orders.get(gone.id)?.customer.target == nil)
        found.orders.replace([])
        try found.orders.applyToDb()
        #expect(try customers.get(customer.id)?.orders.isEmpty == true)
        #expect(try orders.count() == 3)
    }

    @Test func `students have teachers, and teachers have students`() throws {
        let (teacher1, teacher2) = (Teacher(), Teacher())
        let (student1, student2) = (Student(), Student())
        let students = store.box(for: Student.self)
        try students.put([student1, student2])
        student1.teachers.append(teacher1)
        student1.teachers.append(teacher2)
        student2.teachers.append(teacher2)
        try student1.teachers.applyToDb()
        try student2.teachers.applyToDb()
        let found = try #require(try students.get(student1.id))
        #expect(found.teachers.map(\.id) == [teacher1.id, teacher2.id])
        found.teachers.remove(at: 0)
        try found.teachers.applyToDb()
        let teachers = store.box(for: Teacher.self)
        #expect(try teachers.get(teacher1.id)?.students.isEmpty == true)
        #expect(try teachers.get(teacher2.id)?.students.count == 2)
    }

    @Test func `a tree is read in both directions`() throws {
        let nodes = store.box(for: TreeNode.self)
        let (root, leaf) = (TreeNode(), TreeNode())
        leaf.parent.target = root
        try nodes.put(leaf)
        #expect(try nodes.get(leaf.id)?.parent.target?.id == root.id)
        #expect(Array(try #require(try nodes.get(root.id)).children).map(\.id) == [leaf.id])
    }

    @Test func `enums are compared with their raw values`() throws {
        let diaries = store.box(for: Diary.self)
        let (sleepy, cheerful) = (Diary(), Diary())
        sleepy.mood = .sleepy
        cheerful.mood = .cheerful
        cheerful.lastMood = .sleepy
        try diaries.put([sleepy, cheerful])
        func ids(_ condition: Condition<Diary>) throws -> [Id] {
            try diaries.query(condition).build().findIds().map(\.value)
        }
        #expect(try ids(Diary.mood == Mood.sleepy.rawValue) == [sleepy.id])
        #expect(try ids(Diary.mood != 200) == [cheerful.id])
        #expect(try ids(Diary.mood.isEqual(to: 100)) == [cheerful.id])
        #expect(try ids(Diary.mood.isNotEqual(to: 100)) == [sleepy.id])
        #expect(try ids(Diary.mood.isIn([100, 7])) == [cheerful.id])
        #expect(try ids(Diary.lastMood == Mood.sleepy.rawValue) == [cheerful.id])
        #expect(try ids(Diary.lastMood != 200) == [sleepy.id])
        #expect(try ids(Diary.lastMood.isEqual(to: 200)) == [cheerful.id])
        #expect(try ids(Diary.lastMood.isNotEqual(to: 200)) == [sleepy.id])
        #expect(try ids(Diary.mood == .sleepy) == [sleepy.id])
        let users = store.box(for: User.self)
        let admin = User()
        admin.role = .admin
        try users.put(admin)
        #expect(try users.query { User.role == Role.admin.rawValue }.build().count() == 1)
        #expect(try users.query { User.role == 2 }.build().count() == 1)
        #expect(try users.query { User.role == 1 }.build().count() == 0)
    }

    @Test func `a second object with a unique value is caught by its name`() throws {
        let one = Writer(name: "Ada")
        let writers = store.box(for: Writer.self)
        let id: EntityId<Writer> = try writers.put(one)
        #expect(try writers.get(id)?.name == "Ada" && one.id == id)
        let tagged = store.box(for: Tagged.self)
        try tagged.put(Tagged(tag: "a"))
        var isCaught = false
        do { try tagged.put(Tagged(tag: "a")) } catch ObjectBoxError.uniqueViolation {
            isCaught = true
        }
        #expect(isCaught)
        let error = #expect(throws: ObjectBoxError.self) { try tagged.put(Tagged(tag: "a")) }
        #expect(error?.details["property"] == "tag")
    }
}
#endif
