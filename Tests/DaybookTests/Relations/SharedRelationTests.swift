@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// Relations that several objects share, or that outlive their store.
@Suite struct SharedRelationTests {
    @Test func `a copy of a struct that is put as new keeps the original's relation`()
        throws
    {
        let home = try RelationStore()
        var first = Parcel(label: "one", sender: ToOne(Customer("Ada")))
        try home.parcels.put(&first)
        var twin = first
        twin.id = 0
        try home.parcels.put(&twin)
        #expect(try home.parcels.get(twin.id)?.sender.targetId == 1)
        try home.customers.put(Customer("Bob"))
        var other = try #require(try home.parcels.get(first.id))
        other.sender.targetId = 2
        try home.parcels.put(&other)
        // The relation of `first` was not changed since its put, so this put writes no link.
        try home.parcels.put(&first)
        #expect(try home.parcels.get(first.id)?.sender.targetId == 2)
        try home.store.close()
    }

    @Test func `a pending change of a shared relation is written for each owner`() throws {
        let home = try RelationStore()
        try home.customers.put([Customer("Ada"), Customer("Bob")])
        var first = Parcel(label: "one", sender: ToOne(targetId: 1))
        try home.parcels.put(&first)
        var twin = first
        twin.id = 0
        twin.sender.targetId = 2
        try home.parcels.put(&twin)
        try home.parcels.put(&first)
        #expect(try home.parcels.all().map(\.sender.targetId) == [2, 2])
        try home.store.close()
    }

    @Test func `a put with a shared relation that cannot be read is refused`() throws {
        let directory = TemporaryDirectory()
        var store = try Store(path: directory.path, entities: RelationStore.entities)
        try store.box(for: Order.self).put(Order("Hat", customer: Customer("Ada")))
        let unread = try #require(try store.box(for: Order.self).get(1)).customer
        try store.close()
        store = try Store(path: directory.path, entities: RelationStore.entities)
        let order = Order("Shoes")
        order.customer = unread
        expectError(.closed) { try store.box().put(order) }
        #expect(try store.box(for: Order.self).count() == 1)
        try store.close()
    }

    @Test func `objects from before a close can be put after reopening`() throws {
        let home = try RelationStore()
        try home.orders.put(Order("Hat", customer: Customer("Ada")))
        let order = try #require(try home.orders.get(1))
        let set = try #require(try home.orders.get(1))
        try home.customers.put(Customer("Bob"))
        try home.reopen()
        order.summary = "Top hat"
        try home.orders.put(order)
        #expect(order.customer.target?.name == "Ada" && order.customer.failure == nil)
        #expect(try home.orders.get(1)?.customer.targetId == 1)
        set.customer.targetId = 2
        try home.orders.put(set)
        #expect(order.customer.targetId == 1 && set.customer.target?.name == "Bob")
        #expect(try home.orders.get(1)?.customer.targetId == 2)
        try home.store.close()
    }

    @Test func `links that other writers added before the reopening stay`() throws {
        let home = try RelationStore()
        let student = Student("Ada")
        student.teachers = [Teacher("Curie")]
        try home.students.put(student)
        let inHand = try #require(try home.students.get(1))
        try home.reopen()
        let other = try #require(try home.students.get(1))
        other.teachers.append(Teacher("Noether"))
        try home.students.put(other)
        try home.students.put(inHand)
        #expect(inHand.teachers.map(\.name) == ["Curie", "Noether"])
        try home.store.close()
    }

    @Test func `an object of a reader belongs to another store than the writer's`() throws {
        let home = try RelationStore()
        try home.orders.put(Order("Hat", customer: Customer("Ada")))
        try home.store.sync()
        var options = StoreOptions()
        options.isReadOnly = true
        let reader = try Store(
            path: home.directory.path, entities: RelationStore.entities, options: options)
        let order = try #require(try reader.box(for: Order.self).get(1))
        expectError(.relationOfAnotherStore) { try home.orders.put(order) }
        try reader.close()
        try home.store.close()
    }
}
