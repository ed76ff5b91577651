@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// Relations of objects that were put before other objects were linked to them.
@Suite struct RelationFreshnessTests {
    private let home: RelationStore

    init() throws { home = try RelationStore() }

    /// Returns a customer that was put first, and three orders of the customer that were put later.
    private func customerWithLateOrders() throws -> (Customer, [Order]) {
        let ada = Customer("Ada")
        try home.customers.put(ada)
        let orders = (1...3).map { Order("order \($0)", customer: ada) }
        try home.orders.put(orders)
        return (ada, orders)
    }

    private func orderIds() throws -> [EntityId<Order>]? { try home.customers.get(1)?.orders.ids }

    // MARK: To-many relations

    @Test
    func `a backlink of an object that was put first contains objects that were linked later`()
        throws
    {
        let (ada, _) = try customerWithLateOrders()
        #expect(ada.orders.count == 3 && ada.orders.ids == [1, 2, 3])
        #expect(!ada.orders.hasPendingDbChanges)
        try home.store.close()
    }

    @Test func `replace makes the stored links equal to the list`() throws {
        let (ada, orders) = try customerWithLateOrders()
        ada.orders.replace([orders[1]])
        try ada.orders.applyToDb()
        #expect(try orderIds() == [2] && ada.orders.ids == [2])
        try home.store.close()
    }

    @Test func `removeAll removes all stored links`() throws {
        let (ada, _) = try customerWithLateOrders()
        ada.orders.removeAll()
        try ada.orders.applyToDb()
        #expect(try orderIds() == [] && ada.orders.isEmpty)
        try home.store.close()
    }

    @Test func `replace removes links that others added after the list was read`() throws {
        let ada = Student("Ada")
        ada.teachers = [Teacher("Curie"), Teacher("Noether")]
        try home.students.put(ada)
        #expect(ada.teachers.ids == [1, 2])
        let other = try #require(try home.students.get(1))
        other.teachers.append(Teacher("Hopper"))
        try other.teachers.applyToDb()
        ada.teachers.replace([ada.teachers[0]])
        #expect(try home.records { try ada.teachers.applyToDb() } == ["unlink": 2])
        #expect(try home.students.get(1)?.teachers.ids == [1] && ada.teachers.ids == [1])
        try home.store.close()
    }

    @Test
    func `a relation of an object that was put first contains objects that its backlink linked`()
        throws
    {
        let (ada, curie) = (Student("Ada"), Teacher("Curie"))
        try home.students.put(ada)
        try home.teachers.put(curie)
        curie.students.append(ada)
        try curie.students.applyToDb()
        #expect(ada.teachers.map(\.name) == ["Curie"])
        #expect(curie.students.first === ada)
        try home.store.close()
    }

    @Test func `objects that were put with their owner stay identical`() throws {
        let (ada, hat, coat) = (Customer("Ada"), Order("Hat"), Order("Coat"))
        ada.orders = [hat, coat]
        try home.customers.put(ada)
        try home.orders.put(Order("Shoes", customer: ada))
        #expect(ada.orders.count == 3)
        #expect(ada.orders[0] === hat && ada.orders[1] === coat)
        try home.store.close()
    }

    @Test func `an append after a put links an object that another writer unlinked`() throws {
        let (ada, curie) = (Student("Ada"), Teacher("Curie"))
        ada.teachers = [curie]
        try home.students.put(ada)
        let other = try #require(try home.students.get(1))
        other.teachers.removeAll()
        try other.teachers.applyToDb()
        ada.teachers.append(curie)
        try ada.teachers.applyToDb()
        #expect(try home.students.get(1)?.teachers.ids == [1] && ada.teachers.ids == [1])
        try home.store.close()
    }

    @Test func `a list shows links of other writers after applyToDb`() throws {
        let ada = Student("Ada")
        try home.students.put(ada)
        #expect(ada.teachers.isEmpty)
        let other = try #require(try home.students.get(1))
        other.teachers.append(Teacher("Curie"))
        try other.teachers.applyToDb()
        // The list was read, so it does not change until it is written.
        #expect(ada.teachers.isEmpty)
        ada.teachers.append(Teacher("Noether"))
        try ada.teachers.applyToDb()
        #expect(ada.teachers.map(\.name) == ["Curie", "Noether"])
        other.teachers.removeAll()
        try other.teachers.applyToDb()
        try home.students.put(ada)
        #expect(ada.teachers.isEmpty)
        try home.store.close()
    }

    @Test func `a put keeps the content of a list when the store is closed`() throws {
        let ada = Customer("Ada")
        ada.orders = [Order("Hat")]
        try home.customers.put(ada)
        try home.store.close()
        #expect(ada.orders.map(\.summary) == ["Hat"] && ada.orders.failure?.code == .closed)
    }

    // MARK: Reads that throw

    @Test func `get returns the objects, and throws where the property is nil or empty`() throws {
        try home.orders.put(Order("Hat", customer: Customer("Ada")))
        try home.orders.put(Order("Coat"))
        let read = try #require(try home.orders.get(1))
        #expect(try read.customer.get()?.orders.get().map(\.summary) == ["Hat"])
        #expect(try home.orders.get(2)?.customer.get() == nil)
        let order = try #require(try home.orders.get(1))
        let ada = try #require(try home.customers.get(1))
        #expect(try Customer("new").orders.get().isEmpty)
        try home.store.close()
        #expect(order.customer.target == nil && ada.orders.isEmpty)
        expectError(.closed) { _ = try order.customer.get() }
        expectError(.closed) { _ = try ada.orders.get() }
        #expect(try read.customer.get()?.name == "Ada")
    }

    @Test func `get has an async call that does the same`() async throws {
        try await home.orders.put(Order("Hat", customer: Customer("Ada")))
        let order = try #require(try await home.orders.get(1))
        let ada = try #require(try await home.customers.get(1))
        let target = try await order.customer.get()
        let orders = try await ada.orders.get()
        #expect(target?.name == "Ada" && orders.map(\.summary) == ["Hat"])
        let (late, lateAda) = (
            try #require(try await home.orders.get(1)),
            try #require(try await home.customers.get(1))
        )
        try await home.store.close()
        await #expect(throws: DaybookError.self) { _ = try await late.customer.get() }
        await #expect(throws: DaybookError.self) { _ = try await lateAda.orders.get() }
    }

    // MARK: In transactions

    @Test func `late links are visible inside the transaction that put the object`() throws {
        let ada = Customer("Ada")
        try home.store.write {
            try home.customers.put(ada)
            try home.orders.put(Order("Hat", customer: ada))
            #expect(ada.orders.map(\.summary) == ["Hat"])
        }
        #expect(ada.orders.map(\.summary) == ["Hat"])
        try home.orders.put(Order("Coat", customer: ada))
        try home.customers.put(ada)
        #expect(ada.orders.map(\.summary) == ["Hat", "Coat"])
        try home.store.close()
    }

    @Test func `a rollback discards reads that followed the put`() throws {
        let (ada, hat) = (Customer("Ada"), Order("Hat"))
        ada.orders = [hat]
        #expect(throws: Refusal(number: 1)) {
            try home.store.write {
                try home.customers.put(ada)
                try home.orders.put(Order("Coat", customer: ada))
                #expect(ada.orders.count == 2)
                #expect(ada.orders.remove(hat))
                throw Refusal(number: 1)
            }
        }
        #expect(ada.orders.isEmpty)
        try home.customers.put(ada)
        #expect(try home.orders.isEmpty() && ada.orders.isEmpty)
        try home.store.close()
    }

    @Test func `a replaced list of a rolled-back put still replaces all links`()
        throws
    {
        let (ada, hat) = (Customer("Ada"), Order("Hat"))
        ada.orders = [hat]
        #expect(throws: Refusal(number: 1)) {
            try home.store.write {
                try home.customers.put(ada)
                ada.orders.replace([Order("Coat"), hat])
                throw Refusal(number: 1)
            }
        }
        #expect(ada.orders.map(\.summary) == ["Coat", "Hat"])
        try home.customers.put(ada)
        #expect(Set(try home.orders.all().map(\.summary)) == ["Coat", "Hat"])
        #expect(ada.orders.count == 2)
        try home.store.close()
    }

    @Test func `an object of a view shows the newest version after its put`() throws {
        let (ada, _) = try customerWithLateOrders()
        let view = try home.store.view()
        let old = try #require(try view.box(for: Customer.self).get(ada.id))
        try home.orders.put(Order("late", customer: ada))
        #expect(old.orders.count == 3)
        old.orders.append(Order("new"))
        try home.customers.put(old)
        #expect(old.orders.count == 5)
        try home.store.close()
    }

    // MARK: To-one relations

    @Test func `a to-one relation that was put shows links that a backlink added later`() throws {
        let (ada, bob, hat) = (Customer("Ada"), Customer("Bob"), Order("Hat"))
        try home.customers.put([ada, bob])
        try home.orders.put(hat)
        ada.orders.append(hat)
        try ada.orders.applyToDb()
        #expect(hat.customer.targetId == 1 && hat.customer.target?.name == "Ada")
        bob.orders.append(hat)
        try bob.orders.applyToDb()
        // The target was read, so it does not change until its object is put.
        #expect(hat.customer.targetId == 1)
        try home.orders.put(hat)
        #expect(hat.customer.targetId == 2 && hat.customer.target?.name == "Bob")
        try home.store.close()
    }

    @Test func `a target that was put stays identical while the link exists`() throws {
        let (ada, hat) = (Customer("Ada"), Order("Hat"))
        hat.customer.target = ada
        try home.orders.put(hat)
        #expect(hat.customer.target === ada)
        try home.orders.put(hat)
        #expect(hat.customer.target === ada)
        try home.customers.remove(ada.id)
        try home.orders.put(hat)
        #expect(hat.customer.target == nil && hat.customer.targetId == nil)
        try home.store.close()
    }

    @Test func `a target that was read in a rolled-back transaction is read again`()
        throws
    {
        let hat = Order("Hat")
        try home.orders.put(hat)
        let found = try #require(try home.orders.get(hat.id))
        #expect(throws: Refusal(number: 1)) {
            try home.store.write {
                let ada = Customer("Ada")
                ada.orders.append(hat)
                try home.customers.put(ada)
                #expect(found.customer.target?.name == "Ada")
                #expect(hat.customer.targetId != nil)
                throw Refusal(number: 1)
            }
        }
        #expect(found.customer.targetId == nil && hat.customer.targetId == nil)
        try home.store.close()
    }
}
