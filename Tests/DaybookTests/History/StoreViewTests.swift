@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// Views: retained versions of a store.
@Suite struct StoreViewTests {
    private let home: RelationStore

    init() throws { home = try RelationStore() }

    @Test func `a view shows a past state, including relations`() throws {
        let ada = Customer("Ada")
        try home.orders.put([Order("Hat", customer: ada), Order("Shoes", customer: ada)])
        let view = try home.store.view()
        try home.orders.remove(1)
        try home.customers.remove(ada.id)
        try home.customers.put(Customer("Bob"))
        let customers = view.box(for: Customer.self)
        #expect(try view.sequence < home.store.sequence)
        #expect(try customers.all().map(\.name) == ["Ada"])
        let found = try #require(try customers.get(EntityId(ada.id)))
        #expect(found.orders.map(\.summary) == ["Hat", "Shoes"])
        #expect(found.orders[0].customer.target?.name == "Ada")
        #expect(try found.orders.countInDb() == 2)
        let orders = view.box(for: Order.self)
        #expect(try orders.count() == 2 && !orders.isEmpty() && orders.contains(1))
        #expect(try orders.get([2, 9, 1]).map(\.summary) == ["Shoes", "Hat"])
        #expect(try orders.get(9) == nil)
        #expect(try home.store.view().box(for: Order.self).count() == 1)
        try home.store.close()
        expectError(.closed) { _ = try orders.all() }
        expectError(.closed) { _ = try orders.get(1) }
        found.orders.reset()
        expectError(.closed) { try found.orders.get() }
    }

    @Test func `every commit of the past can be viewed, until a compaction drops it`() throws {
        let (ada, bob) = (Teacher("Curie"), Teacher("Noether"))
        let student = Student("Ada")
        student.teachers = [ada]
        try home.students.put(student)
        let first = try home.store.sequence
        student.teachers.append(bob)
        try student.teachers.applyToDb()
        student.teachers.remove(ada)
        try student.teachers.applyToDb()
        let names = try (first...first + 2).map { sequence in
            let view = try home.store.view(at: .sequence(sequence))
            #expect(view.sequence == sequence)
            return try view.box(for: Student.self).get(1)?.teachers.map(\.name)
        }
        #expect(names == [["Curie"], ["Curie", "Noether"], ["Noether"]])
        let early = try home.store.view(at: .sequence(0))
        #expect(try early.box(for: Student.self).isEmpty())
        expectError(.invalidArgument) {
            _ = try home.store.view(at: .sequence(try home.store.sequence + 1))
        }
        try home.reopen()
        _ = try home.store.engine.compact(.latest, sealsActive: true)
        expectError(.historyTruncated) { _ = try home.store.view(at: .sequence(first)) }
        try home.store.close()
    }

    @Test func `an object of a view can be put, and its relations cannot be written by themselves`()
        throws
    {
        let student = Student("Ada")
        student.teachers = [Teacher("Curie")]
        try home.students.put(student)
        let old = try #require(try home.store.view().box(for: Student.self).get(1))
        old.teachers.append(Teacher("Noether"))
        #expect(!old.teachers.canInteractWithDb)
        expectError(.readOnly) { try old.teachers.applyToDb() }
        try home.students.put(old)
        #expect(try home.students.get(1)?.teachers.map(\.name) == ["Curie", "Noether"])
        #expect(old.teachers.canInteractWithDb && old.teachers.count == 2)
        try home.store.close()
    }

    @Test func `references resolve in a view`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Clerk.self)
        try store.box(for: Article.self).put([Article(name: "pen"), Article(name: "key")])
        try store.box(for: Clerk.self).put(Clerk(badge: Reference(targetId: 1), tools: [1, 2]))
        let view = try store.view()
        try store.box(for: Article.self).removeAll()
        let clerk = try #require(try view.box(for: Clerk.self).get(1))
        #expect(try clerk.badge.resolve(in: view)?.name == "pen")
        #expect(try clerk.tools.resolve(in: view).map(\.name) == ["pen", "key"])
        #expect(try clerk.badge.resolve(in: store.box()) == nil)
        try store.close()
    }

    @Test func `views have async calls`() async throws {
        let ada = Customer("Ada")
        try await home.orders.put([Order("Hat", customer: ada), Order("Shoes", customer: ada)])
        let view = try await home.store.view()
        try await home.orders.removeAll()
        let orders = view.box(for: Order.self)
        #expect(try await orders.all().map(\.summary) == ["Hat", "Shoes"])
        #expect(try await orders.get(1)?.summary == "Hat")
        #expect(try await orders.get(EntityId(2))?.summary == "Shoes")
        #expect(try await orders.get([2, 1]).count == 2)
        #expect(try await orders.count() == 2)
        #expect(try await !orders.isEmpty())
        #expect(try await orders.contains(2))
        let past = try await home.store.view(at: .sequence(view.sequence))
        #expect(try await past.box(for: Order.self).count() == 2)
        let found = try #require(try await view.box(for: Customer.self).get(1))
        try await found.orders.get()
        #expect(found.orders.resolved && found.orders.count == 2)
        var seen = 0
        try await found.orders.forEachInDb { _ in seen += 1 }
        #expect(seen == 2)
        try await home.store.close()
        await #expect(throws: DaybookError.self) { _ = try await orders.count() }
    }
}
