@testable import Daybook
import DaybookEngine
import DaybookRealm
import DaybookRealmModels
import Testing

/// The members of a relation that changes during a put.
@Suite struct RelationMemberTests {
    private let home: RelationStore

    init() throws { home = try RelationStore() }

    /// Puts an object in the steps of an `async` put. Runs `meanwhile` after the write, before the
    /// relations are updated.
    private func put<E: Entity>(
        _ object: E, in box: Box<E>, meanwhile: () throws -> Void
    ) throws {
        var puts = GraphBuilder(box.types)
        _ = try puts.add(object, isRoot: true)
        try puts.encode()
        let (graph, receipts) = puts.finish()
        var outcome = GraphOutcome()
        try home.store.engine.write { outcome = try graph.put(in: $0, PutOptions()) }
        try meanwhile()
        receipts.settle(outcome)
    }

    /// Returns a stored customer with `count` orders, whose relation was not read.
    private func customer(_ count: Int) throws -> Customer {
        let ada = Customer("Ada")
        ada.orders = ToMany((1...count).map { Order("order \($0)") })
        try home.customers.put(ada)
        return try #require(try home.customers.get(ada.id))
    }

    @Test func `objects that are read during a put keep their ids and links`() throws {
        let ada = try customer(2)
        ada.orders.append(Order("new"))
        try put(ada, in: home.customers) { #expect(ada.orders.count >= 2) }
        #expect(ada.orders.ids == [1, 2, 3])
        #expect(!ada.orders.hasPendingDbChanges)
        #expect(try home.records { try ada.orders.applyToDb() } == [:])
        #expect(try home.customers.get(1)?.orders.ids == [1, 2, 3])
        // The same with structs, into which a put writes the ids.
        var parcel = Parcel(label: "box")
        parcel.notes = [Note(text: "a"), Note(text: "b")]
        try home.parcels.put(&parcel)
        let found = try #require(try home.parcels.get(1))
        found.notes.append(Note(text: "c"))
        try put(found, in: home.parcels) { #expect(found.notes.count >= 2) }
        #expect(found.notes.map(\.id) == [1, 2, 3] && found.notes.map(\.text) == ["a", "b", "c"])
        #expect(!found.notes.hasPendingDbChanges)
        try home.store.close()
    }

    @Test func `an object that is added after a reset is not confused with an earlier put`() throws
    {
        let ada = try customer(2)
        ada.orders.append(Order("new"))
        try put(ada, in: home.customers) {
            ada.orders.reset()
            ada.orders.append(Order("later"))
        }
        #expect(ada.orders.hasPendingDbChanges)
        try ada.orders.applyToDb()
        let summaries = ["order 1", "order 2", "new", "later"]
        #expect(try home.customers.get(1)?.orders.map(\.summary) == summaries)
        ada.orders = [Order("only")]
        try put(ada, in: home.customers) { ada.orders.reset() }
        #expect(!ada.orders.hasPendingDbChanges)
        ada.orders = ToMany(try home.orders.all())
        try home.customers.put(ada)
        ada.orders.replace([])
        try put(ada, in: home.customers) { ada.orders.reset() }
        #expect(!ada.orders.hasPendingDbChanges && ada.orders.isEmpty)
        try home.store.close()
    }

    @Test func `a relation that is reset during a put of all its members removes no link`() throws {
        let (ada, bob) = (Student("Ada"), Student("Bob"))
        ada.teachers = [Teacher("Curie"), Teacher("Noether")]
        try home.students.put(ada)
        bob.teachers = ada.teachers
        try put(bob, in: home.students) { bob.teachers.reset() }
        #expect(!bob.teachers.hasPendingDbChanges)
        try home.students.put(bob)
        #expect(try home.students.get(2)?.teachers.ids == [1, 2])
        try home.store.close()
    }

    @Test func `an added object that gets its id from another put is the same member`() throws {
        let ada = try customer(1)
        let (one, other) = (Order("one"), Order("other"))
        #expect(ada.orders.count == 1)
        ada.orders.append(one)
        ada.orders.append(other)
        try home.orders.put(one)
        try home.orders.put(other)
        // A different object with the id of a member.
        ada.orders.append(try #require(try home.orders.get(other.id)))
        #expect(ada.orders.count == 3)
        #expect(ada.orders.remove(one))
        #expect(ada.orders.remove(try #require(try home.orders.get(other.id))))
        #expect(!ada.orders.hasPendingDbChanges && !ada.orders.remove(one))
        try ada.orders.applyToDb()
        #expect(try home.customers.get(1)?.orders.ids == [1])
        try home.store.close()
    }

    @Test func `an added object that loses its id is the same member`() throws {
        let ada = try customer(1)
        let new = Order("new")
        ada.orders.append(new)
        new.id = 9
        ada.orders.replaceSubrange(5..<5, with: [])
        new.id = 0
        ada.orders.append(new)
        #expect(ada.orders.count == 2)
        #expect(ada.orders.remove(new) && ada.orders.ids == [1])
        try home.store.close()
    }

    @Test func `adding a relation or its slice to another relation changes no link of the source`()
        throws
    {
        let (ada, bob) = (try customer(2), try customer(1))
        let all = ada.orders + bob.orders
        #expect(all.map(\.id) == [1, 2, 3])
        #expect((ada.orders + [Order("new")]).count == 3)
        #expect((ada.orders + [Order("new")].lazy.map { $0 }).count == 3)
        #expect(([Order("new")] + ada.orders).count == 3)
        let relation: ToMany<Order> = ada.orders + bob.orders
        #expect(relation.ids == [1, 2, 3] && relation !== ada.orders)
        #expect(ada.orders.filter { $0.id == 1 }.count == 1)
        #expect(!ada.orders.hasPendingDbChanges && !bob.orders.hasPendingDbChanges)
        try home.customers.put(ada)
        #expect(try home.customers.all().map(\.orders.ids) == [[1, 2], [3]])
        try home.store.close()
    }

    @Test func `a range beyond the end of a relation is clamped`() throws {
        let ada = try customer(3)
        ada.orders.removeSubrange(5...)
        #expect(ada.orders.count == 3)
        ada.orders.removeSubrange(2...7)
        ada.orders.replaceSubrange(7..., with: [Order("new")])
        #expect(ada.orders.ids == [1, 2, 0])
        ada.orders.removeSubrange(...0)
        #expect(ada.orders.ids == [2, 0])
        try home.store.close()
    }

    @Test func `the description of a relation contains ids and reads no object`() throws {
        let (ada, curie) = (Student("Ada"), Teacher("Curie"))
        ada.teachers.append(curie)
        #expect(ada.teachers.description == "ToMany<Teacher>(ids: [0])")
        try home.students.put(ada)
        let found = try #require(try home.students.get(1))
        #expect("\(found.teachers)" == "ToMany<Teacher>(not read)" && !found.teachers.resolved)
        found.teachers.append(Teacher("new"))
        #expect("\(found.teachers)" == "ToMany<Teacher>(not read, added: [0])")
        #expect(found.teachers.count == 2 && "\(found.teachers)" == "ToMany<Teacher>(ids: [1, 0])")
        let owner = Owner("Ada")
        owner.dogs.append(Dog("Rex"))
        #expect("\(owner.dogs)" == "List<Dog>(ids: [0])")
        #expect(!"\(owner.dogs[0].owners)".isEmpty)
        #expect("\(List([1, 2]))" == "[1, 2]")
        try home.store.close()
    }
}
