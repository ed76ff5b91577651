@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// An event with a relation of each kind.
private struct Delivery: Event {
    var place = ""
    var customer: ToOne<Customer> = nil
    var orders: ToMany<Order> = nil
    var note: Reference<Note> = nil
    var notes: References<Note> = nil
    var count = 0

    static let entityDescription = EntityDescription(
        "Delivery",
        [
            .property("place", String.self), .property("customer", ToOne<Customer>.self),
            .property("orders", ToMany<Order>.self), .property("note", Reference<Note>.self),
            .property("notes", References<Note>.self), .property("count", Int.self),
        ])
    static func decode(_ row: borrowing RowReader) throws -> Delivery {
        Delivery(
            place: try row.read(0), customer: try row.read(1), orders: try row.read(2),
            note: try row.read(3), notes: try row.read(4), count: try row.read(5))
    }
    func encode(into row: inout RowWriter) throws {
        try row.write(place, at: 0)
        try row.write(customer, at: 1)
        try row.write(orders, at: 2)
        try row.write(note, at: 3)
        try row.write(notes, at: 4)
        try row.write(count, at: 5)
    }
}

/// An event with ids in a list, and the same event with a relation to objects.
private struct Listed: Event {
    var notes: [EntityId<Note>] = []

    static let entityDescription = EntityDescription(
        "Listed", [.property("notes", [EntityId<Note>].self)])
    static func decode(_ row: borrowing RowReader) throws -> Listed {
        Listed(notes: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(notes, at: 0) }
}

private struct Linked: Event {
    var notes: ToMany<Note>
    var orders: ToMany<Order>

    static let entityDescription = EntityDescription(
        "Listed", [.property("notes", ToMany<Note>.self)])
    static func decode(_ row: borrowing RowReader) throws -> Linked {
        // The second one has a wrong type.
        Linked(notes: try row.read(0), orders: try row.read(0))
    }
    func encode(into row: inout RowWriter) throws { try row.write(notes, at: 0) }
}

/// The relations of events: an event contains the ids of the objects to which it links.
@Suite struct EventLinkTests {
    private let directory = TemporaryDirectory()

    private func open() throws -> Store {
        try Store(directory: directory.url, entities: Delivery.self)
    }

    /// Returns all deliveries, read from the log.
    private func deliveries(_ store: Store) async throws -> [Delivery] {
        var found: [Delivery] = []
        let last = try store.sequence
        let start = ChangePosition(store: store.engine.position.store, sequence: 0)
        for try await commit in store.changes(from: start) {
            found += try commit.events(of: Delivery.self)
            if commit.sequence >= last { break }
        }
        return found
    }

    @Test func `an append puts the new objects of an event, and the event keeps their ids`()
        async throws
    {
        var store = try open()
        let orders = store.box(for: Order.self)
        let (old, new) = (Order("old"), Order("new", customer: Customer("Ada")))
        try await orders.put(old)
        let customer = try #require(new.customer.target)
        var delivery = Delivery(place: "Oslo", count: 3)
        delivery.customer.target = customer
        delivery.orders = [new, old]
        try await store.append(delivery)
        #expect(new.id != 0 && customer.id != 0)
        #expect(try await orders.get(new.id)?.customer.targetId?.value == customer.id)
        #expect(delivery.customer.target === customer && Array(delivery.orders).count == 2)
        try await store.close()
        store = try open()
        let found = try #require(try await deliveries(store).first)
        #expect(found.place == "Oslo" && found.count == 3 && found.note.targetId == nil)
        #expect(found.customer.targetId?.value == customer.id)
        #expect(try await found.customer.get()?.name == "Ada")
        #expect(Array(found.orders).map(\.summary) == ["old", "new"])
        #expect(try await found.orders.countInDb() == 2 && found.notes.ids == [])
        try await store.close()
    }

    @Test func `an async append puts new objects, and sets their ids`() async throws {
        let store = try open()
        let customer = Customer("Ada")
        try await store.append([
            Delivery(place: "a", customer: ToOne(customer)),
            Delivery(place: "b", customer: ToOne(customer)), Delivery(place: "c"),
        ])
        #expect(customer.id != 0)
        #expect(try await store.box(for: Customer.self).count() == 1)
        let found = try await deliveries(store)
        #expect(found.map(\.place) == ["a", "b", "c"])
        #expect(found.map { $0.customer.targetId?.value } == [customer.id, customer.id, nil])
        try await store.close()
    }

    @Test func `an event keeps the ids of objects that are removed`() async throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        let ids = try await notes.put([Note(text: "a"), Note(text: "b"), Note(text: "c")])
        var delivery = Delivery(note: Reference(targetId: EntityId(ids[0])))
        delivery.notes = References(ids: [ids[2], ids[1]].map { EntityId($0) })
        try await store.append(delivery)
        try await notes.remove(ids[0])
        try await notes.remove(ids[2])
        let found = try #require(try await deliveries(store).first)
        #expect(found.note.targetId?.value == ids[0])
        #expect(try await notes.get(ids[0]) == nil)
        #expect(found.notes.ids.map(\.value) == [ids[1], ids[2]])
        try await store.close()
    }

    @Test func `a rejected append stores nothing, and its objects have no ids`() throws {
        let store = try open()
        let (good, bad) = (Order("good"), Order("unstorable"))
        var delivery = Delivery()
        delivery.orders = [good, bad]
        #expect(throws: Refusal(number: 7)) { try store.append(delivery) }
        #expect(good.id == 0)
        #expect(throws: Refusal()) {
            try store.write {
                try store.append(Delivery(customer: ToOne(Customer("Ada"))))
                throw Refusal()
            }
        }
        #expect(try store.box(for: Customer.self).isEmpty() && store.sequence == 1)
        delivery.orders = [good]
        try store.append(delivery)
        #expect(good.id != 0)
        try store.close()
    }

    @Test func `the relations of an event from the log cannot be changed, but can be copied`()
        async throws
    {
        let store = try open()
        let order = Order("a")
        var delivery = Delivery(customer: ToOne(Customer("Ada")))
        delivery.orders = [order]
        try await store.append(delivery)
        let found = try #require(try await deliveries(store).first)
        found.orders.append(Order("b"))
        #expect(!found.orders.canInteractWithDb)
        expectError(.readOnly) { try found.orders.applyToDb() }
        found.orders.reset()
        // Appended again, and as the relation of an object.
        try await store.append(found)
        let copy = try #require(try await deliveries(store).last)
        #expect(copy.orders.map(\.id) == [order.id])
        #expect(copy.customer.targetId == found.customer.targetId)
        let next = Order("next")
        next.customer = found.customer
        try await store.box(for: Order.self).put(next)
        let stored = try await store.box(for: Order.self).get(next.id)
        #expect(stored?.customer.target?.name == "Ada")
        try await store.close()
    }

    @Test func `an event does not count as a link to its objects`() throws {
        let store = try open()
        let customer = Customer("Ada")
        try store.append(Delivery(customer: ToOne(customer)))
        #expect(try store.box(for: Customer.self).get(customer.id)?.orders.isEmpty == true)
        #expect(try store.verify().findings.isEmpty)
        try store.close()
    }

    @Test func `a list of ids becomes a relation, which contains each object once`() async throws {
        var store = try await Store(directory: directory.url, entities: Listed.self, Note.self)
        let id = EntityId<Note>(try await store.box(for: Note.self).put(Note(text: "a")))
        try await store.append(Listed(notes: [id, id]))
        try await store.close()
        store = try await Store(directory: directory.url, entities: Linked.self, Order.self)
        let start = ChangePosition(store: store.engine.position.store, sequence: 0)
        var commits = store.changes(from: start, of: [Linked.self]).makeAsyncIterator()
        let event = try #require(try await commits.next()?.events(of: Linked.self).first)
        #expect(event.notes.map(\.text) == ["a"])
        #expect(try await event.notes.countInDb() == 1)
        expectError(.schemaMismatch) { try event.orders.get() }
        expectError(.schemaMismatch) { _ = try event.orders.countInDb() }
        try await store.close()
    }
}
