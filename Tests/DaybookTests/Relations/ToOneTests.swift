@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Testing

/// To-one relations, used from the object that has the relation.
@Suite struct ToOneTests {
    private let home: RelationStore

    init() throws { home = try RelationStore() }

    private func storedOrder(_ name: String = "Ada") throws -> Order {
        let order = Order("Hat", customer: Customer(name))
        try home.orders.put(order)
        return try #require(try home.orders.get(order.id))
    }

    // MARK: Putting

    @Test func `a target with an id is linked, and its fields are not written`() throws {
        let order = try storedOrder()
        let stale = try #require(try home.customers.get(1))
        stale.name = "changed in memory alone"
        let other = Order("Shoes", customer: stale)
        #expect(try home.records { try home.orders.put(other) } == ["put": 1, "link": 1])
        #expect(try home.customers.get(1)?.name == "Ada")
        #expect(order.customer.target?.name == "Ada")
        try home.store.close()
    }

    @Test func `a put writes no unchanged relation`() throws {
        let order = try storedOrder()
        try home.customers.put(Customer("Bob"))
        #expect(order.customer.target?.name == "Ada")
        let fresh = try #require(try home.orders.get(order.id))
        fresh.customer.targetId = 2
        try home.orders.put(fresh)
        // The older copy read its customer but did not change it, so its put writes no link.
        #expect(order.customer.target?.name == "Ada")
        order.summary = "Top hat"
        #expect(try home.records { try home.orders.put(order) } == ["put": 1])
        #expect(try home.orders.get(order.id)?.customer.target?.name == "Bob")
        try home.store.close()
    }

    @Test func `setting the stored target writes no link`() throws {
        let order = try storedOrder()
        order.customer.targetId = 1
        #expect(try home.records { try home.orders.put(order) } == ["put": 1])
        try home.store.close()
    }

    @Test func `a shared relation is written for each owner`() throws {
        let shared = ToOne(Customer("Ada"))
        let orders = [Order("one"), Order("two")]
        for order in orders { order.customer = shared }
        try home.orders.put(orders)
        #expect(try home.customers.count() == 1)
        let third = Order("three")
        third.customer = try #require(try home.orders.get(1)).customer
        try home.orders.put(third)
        #expect(try home.orders.all().map(\.customer.targetId) == [1, 1, 1])
        // The link of the first owner is unchanged.
        try home.orders.put(orders[0])
        #expect(try home.orders.all().map(\.customer.targetId) == [1, 1, 1])
        try home.store.close()
    }

    @Test func `the relations of a struct are usable immediately after its put`() throws {
        var parcel = Parcel(label: "box", sender: ToOne(Customer("Ada")))
        parcel.notes.append(Note(text: "fragile"))
        try home.parcels.put(&parcel)
        #expect(parcel.id == 1 && parcel.sender.targetId == 1)
        #expect(parcel.notes.map(\.id) == [1])
        parcel.notes.append(Note(text: "heavy"))
        try parcel.notes.applyToDb()
        #expect(parcel.notes.map(\.id) == [1, 2])
        try home.everywhere { moment in
            let found = try #require(try home.parcels.get(1))
            #expect(found.sender.target?.name == "Ada", "\(moment)")
            #expect(found.notes.map(\.text) == ["fragile", "heavy"], "\(moment)")
        }
    }

    @Test func `a failed put leaves objects and relations unchanged`() throws {
        let (customer, order) = (Customer("Ada"), Order("Hat"))
        order.customer.target = customer
        #expect(throws: Refusal(number: 7)) {
            try home.orders.put([order, Order("unstorable")])
        }
        #expect(order.id == 0 && customer.id == 0)
        #expect(try home.customers.isEmpty() && home.orders.isEmpty())
        try home.orders.put(order)
        #expect(try home.orders.get(order.id)?.customer.target?.name == "Ada")
        try home.store.close()
    }

    // MARK: Reading

    @Test func `the target is read once until reset`() throws {
        let order = try storedOrder()
        let first = order.customer.target
        let customer = try #require(try home.customers.get(1))
        customer.name = "Augusta"
        try home.customers.put(customer)
        #expect(order.customer.target === first && first?.name == "Ada")
        order.customer.reset()
        #expect(order.customer.target?.name == "Augusta")
        try home.store.close()
    }

    @Test func `reset discards the pending target, and has no effect before the first put`() throws
    {
        let order = try storedOrder()
        order.customer.target = nil
        order.customer.reset()
        #expect(order.customer.targetId == 1)
        let new = Order("new", customer: Customer("Bob"))
        new.customer.reset()
        #expect(new.customer.target?.name == "Bob")
        try home.store.close()
    }

    @Test func `a removed target is nil, and its id is nil at the next read`() throws {
        let order = try storedOrder()
        let late = try #require(try home.orders.get(order.id))
        #expect(order.customer.targetId == 1)
        try home.customers.remove(1)
        #expect(order.customer.targetId == 1 && order.customer.target == nil)
        order.customer.reset()
        #expect(order.customer.targetId == nil)
        #expect(late.customer.target == nil && !late.customer.hasValue)
        #expect(try home.orders.get(order.id)?.customer.targetId == nil)
        try home.store.close()
    }

    @Test func `the id of a target is available without reading the target`() throws {
        let order = try storedOrder()
        #expect(order.customer.targetId == 1 && order.customer.known == nil)
        #expect(order.customer == ToOne(targetId: 1))
        #expect(order.customer != ToOne(targetId: nil))
        try home.store.close()
    }

    // MARK: Errors

    @Test func `a target that cannot be stored is refused with its name, and nothing is put`()
        throws
    {
        for (id, code) in [(0, DaybookError.Code.cannotRelateToUnsaved), (99, .notFound)] {
            let order = Order("Hat")
            order.customer.targetId = EntityId(Id(id))
            let error = expectError(code) { try home.orders.put(order) }
            let name = error?.details["property"] ?? error?.details["relation"]
            #expect(name?.hasSuffix("customer") == true)
            #expect(order.id == 0)
        }
        #expect(try home.orders.isEmpty())
        try home.store.close()
    }

    @Test func `a target of a closed store is nil and reports the reason`() throws {
        let order = try storedOrder()
        try home.store.close()
        #expect(order.customer.target == nil && order.customer.targetId == nil)
        #expect(order.customer.failure?.code == .closed)
        expectError(.closed) { _ = try order.customer.get() }
        // The target can still be set and read.
        order.customer.target = Customer("Bob")
        #expect(order.customer.target?.name == "Bob" && order.customer.failure == nil)
    }

    @Test func `a relation that could not be read is not written`() throws {
        let order = try storedOrder()
        let other = try RelationStore()
        try other.customers.put(Customer("Eve"))
        let error = expectError(.relationOfAnotherStore) { try other.orders.put(order) }
        #expect(error?.details["property"] == "customer")
        #expect(try other.orders.isEmpty())
        try other.store.close()
        try home.store.close()
    }

    @Test func `a relation is empty in objects older than the relation`() throws {
        let directory = TemporaryDirectory()
        let earlier = try Store(directory: directory.url, entities: Bare.self)
        try earlier.box().put(Bare())
        try earlier.close()
        let store = try Store(directory: directory.url, entities: Holder<ToOne<Note>>.self)
        let holder = try #require(try store.box(for: Holder<ToOne<Note>>.self).get(1))
        #expect(!holder.value.hasValue)
        holder.value.target = Note(text: "late")
        try store.box().put(holder)
        #expect(try store.box(for: Holder<ToOne<Note>>.self).get(1)?.value.targetId == 1)
        try store.close()
    }

    @Test func `the target may be an instance of a subclass`() {
        let instance = OpenSubclass()
        #expect(ToOne<OpenEntity>(instance).target === instance)
        #expect(ToOne(instance).target === instance)
        #expect(ToMany<OpenEntity>([instance, instance]).first === instance)
    }
}
