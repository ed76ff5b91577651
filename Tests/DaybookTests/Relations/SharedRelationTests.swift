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

    // MARK: Copies of a struct with a to-many relation

    /// Stores a parcel with one note, and a copy as another object.
    private func twins(_ home: RelationStore) throws -> (first: Parcel, twin: Parcel) {
        var first = Parcel(label: "one", notes: [Note(text: "shared")])
        try home.parcels.put(&first)
        var twin = first
        twin.id = 0
        try home.parcels.put(&twin)
        return (first, twin)
    }

    private func texts(_ id: Id, _ home: RelationStore) throws -> [String] {
        try #require(try home.parcels.get(id)).notes.get().map(\.text)
    }

    /// Links another note in the store, as another part of the program does.
    private func link(_ text: String, to parcel: Parcel, _ home: RelationStore) throws {
        let other = try #require(try home.parcels.get(parcel.id))
        other.notes.append(Note(text: text))
        try other.notes.applyToDb()
    }

    @Test func `a put of an original or of its copy keeps links that others added`() throws {
        let home = try RelationStore()
        let (first, twin) = try twins(home)
        try link("only first", to: first, home)
        try link("only twin", to: twin, home)
        for parcel in [first, twin, first, twin] { try home.parcels.put(parcel) }
        #expect(try texts(first.id, home) == ["shared", "only first"])
        #expect(try texts(twin.id, home) == ["shared", "only twin"])
        try home.store.close()
    }

    @Test func `changes of a shared collection are written for each copy that is put`() throws {
        let home = try RelationStore()
        let (first, twin) = try twins(home)
        try link("only first", to: first, home)
        twin.notes.append(Note(text: "appended"))
        try home.parcels.put(twin)
        #expect(try texts(first.id, home) == ["shared", "only first"])
        #expect(try texts(twin.id, home) == ["shared", "appended"])
        try home.parcels.put(first)
        #expect(try texts(first.id, home) == ["shared", "only first", "appended"])
        first.notes.removeFirst()
        try home.parcels.put(first)
        #expect(try texts(first.id, home) == ["only first", "appended"])
        #expect(try texts(twin.id, home) == ["shared", "appended"])
        try home.store.close()
    }

    @Test func `a replacement of a shared collection replaces the links of each copy once`() throws
    {
        let home = try RelationStore()
        let (first, twin) = try twins(home)
        twin.notes.replace([Note(text: "new")])
        try home.parcels.put(twin)
        try home.parcels.put(first)
        for parcel in [first, twin] {
            #expect(try texts(parcel.id, home) == ["new"])
            try link("later \(parcel.id)", to: parcel, home)
        }
        try home.parcels.put(twin)
        try home.parcels.put(first)
        #expect(try texts(first.id, home) == ["new", "later 1"])
        #expect(try texts(twin.id, home) == ["new", "later 2"])
        try home.store.close()
    }

    @Test func `a rollback restores the object to which a shared collection belongs`() throws {
        let home = try RelationStore()
        let (first, twin) = try twins(home)
        try link("only first", to: first, home)
        #expect(throws: Cancellation.self) {
            try home.store.write {
                first.notes.append(Note(text: "abandoned"))
                try home.parcels.put(first)
                throw Cancellation()
            }
        }
        #expect(try texts(first.id, home) == ["shared", "only first"])
        try home.parcels.put(first)
        try home.parcels.put(twin)
        #expect(try texts(first.id, home) == ["shared", "only first", "abandoned"])
        #expect(try texts(twin.id, home) == ["shared", "abandoned"])
        try home.store.close()
    }

    @Test func `a template that is put many times keeps its links`() throws {
        let home = try RelationStore()
        var (template, _) = try twins(home)
        let first = template
        try link("only first", to: first, home)
        for _ in 0..<3 {
            template.id = 0
            try home.parcels.put(&template)
        }
        try home.parcels.put(first)
        #expect(try texts(first.id, home) == ["shared", "only first"])
        #expect(try texts(template.id, home).contains("shared"))
        try home.store.close()
    }
}

private struct Cancellation: Error {}
