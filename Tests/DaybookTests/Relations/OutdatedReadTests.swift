@testable import Daybook
import DaybookRealm
import DaybookRealmModels
import DaybookTestSupport
import Foundation
import Testing

/// Reads that do not see the links of a put: the commit is not visible yet, or the thread reads an
/// older version.
@Suite struct OutdatedReadTests {
    private let home: RelationStore

    init() throws { home = try RelationStore() }

    /// A block and its result.
    // SENDABLE: one thread waits while the other one runs the block.
    private final class Work<Result>: @unchecked Sendable {
        let body: () -> Result
        var result: Result?

        init(_ body: @escaping () -> Result) { self.body = body }
    }

    /// Runs `body` on another thread, waits for its end and returns its result.
    private func onOtherThread<Result>(_ body: @escaping () -> Result) -> Result? {
        let work = Work(body)
        let group = DispatchGroup()
        DispatchQueue(label: "other thread").async(group: group) { work.result = work.body() }
        group.wait()
        return work.result
    }

    @Test func `another thread reads and edits the links of a put that is not visible yet`() throws
    {
        let (student, curie) = (Student("Ada"), Teacher("Curie"))
        student.teachers.append(curie)
        try home.students.put(student)
        let teachers = student.teachers
        #expect(teachers.count == 1)
        try home.store.write {
            teachers.append(Teacher("Noether"))
            try teachers.applyToDb()
            let names = onOtherThread {
                defer { teachers.remove(curie) }
                return teachers.map(\.name)
            }
            #expect(names == ["Curie", "Noether"])
        }
        #expect(teachers.map(\.name) == ["Noether"])
        try teachers.applyToDb()
        #expect(try home.students.get(1)?.teachers.map(\.name) == ["Noether"])
        try home.store.close()
    }

    @Test func `a read of an older version keeps the links of a later put`() throws {
        let student = Student("Ada")
        student.teachers.append(Teacher("Curie"))
        try home.students.put(student)
        let teachers = student.teachers
        try home.store.read {
            let stored = try home.students.get(1)?.teachers.count
            #expect(stored == 1)
            _ = onOtherThread {
                teachers.append(Teacher("Noether"))
                try? teachers.applyToDb()
            }
            #expect(teachers.map(\.name) == ["Curie", "Noether"])
            let read = try teachers.get()
            #expect(read.count == 2)
        }
        #expect(teachers.map(\.name) == ["Curie", "Noether"])
        try home.store.close()
    }

    @Test func `another thread reads the target of a put that is not visible yet`() throws {
        let order = Order("Hat", customer: Customer("Ada"))
        try home.orders.put(order)
        #expect(order.customer.target?.name == "Ada")
        let bob = Customer("Bob")
        try home.store.write {
            order.customer.target = bob
            try home.orders.put(order)
            let seen = onOtherThread { (order.customer.target?.name, order.customer.targetId) }
            #expect(seen?.0 == "Bob" && seen?.1?.value == bob.id)
        }
        #expect(order.customer.target === bob)
        #expect(try home.orders.get(1)?.customer.target?.name == "Bob")
        try home.store.close()
    }

    @Test func `a read of an older version keeps the target of a later put`() throws {
        let order = Order("Hat", customer: Customer("Ada"))
        try home.orders.put(order)
        try home.store.read {
            let name = try home.orders.get(1)?.customer.target?.name
            #expect(name == "Ada")
            _ = onOtherThread {
                order.customer.target = Customer("Bob")
                _ = try? self.home.orders.put(order)
            }
            #expect(order.customer.target?.name == "Bob")
            #expect(order.customer.targetId == 2)
            _ = try ToOne.load([order.customer])
        }
        #expect(order.customer.target?.name == "Bob")
        try home.store.close()
    }

    @Test func `a target that is set by its id is read again after a read of an older version`()
        throws
    {
        let order = Order("Hat", customer: Customer("Ada"))
        try home.orders.put(order)
        try home.store.read {
            let count = try home.customers.count()
            #expect(count == 1)
            _ = onOtherThread {
                _ = try? self.home.customers.put(Customer("Bob"))
                order.customer.targetId = 2
                _ = try? self.home.orders.put(order)
            }
            // The older version has no such customer.
            #expect(order.customer.target == nil && order.customer.targetId == 2)
        }
        #expect(order.customer.target?.name == "Bob")
        try home.store.close()
    }

    @Test func `after a reset, a read of an older version lasts until a newer read`() throws {
        let order = Order("Hat", customer: Customer("Ada"))
        try home.orders.put(order)
        try home.store.read {
            let count = try home.orders.count()
            #expect(count == 1)
            _ = onOtherThread {
                order.customer.target = Customer("Bob")
                _ = try? self.home.orders.put(order)
                order.customer.reset()
            }
            #expect(order.customer.target?.name == "Ada")
        }
        #expect(order.customer.target?.name == "Bob")
        try home.store.close()
    }

    @Test func `a rollback of a put restores the target for later reads`() throws {
        let order = Order("Hat", customer: Customer("Ada"))
        try home.orders.put(order)
        #expect(throws: Refusal.self) {
            try home.store.write {
                order.customer.target = Customer("Bob")
                try home.orders.put(order)
                throw Refusal(number: 1)
            }
        }
        order.customer.reset()
        #expect(order.customer.target?.name == "Ada")
        try home.store.close()
    }

    @Test func `a read of an older version keeps the elements of a list of a later put`() throws {
        let directory = TemporaryDirectory()
        let store = try Store(directory: directory.url, entities: Owner.self)
        let owners: Box<Owner> = store.box()
        let owner = Owner("Ada")
        owner.dogs.append(Dog("Rex"))
        try owners.put(owner)
        try store.read {
            let count = try owners.count()
            #expect(count == 1)
            _ = onOtherThread {
                owner.dogs.append(Dog("Max"))
                _ = try? owners.put(owner)
            }
            #expect(owner.dogs.map(\.name) == ["Rex", "Max"])
            #expect(owner.dogs.ids == [1, 2])
        }
        #expect(owner.dogs.map(\.name) == ["Rex", "Max"])
        owner.dogs.remove(at: 0)
        try owners.put(owner)
        #expect(try owners.get(1)?.dogs.map(\.name) == ["Max"])
        try store.close()
    }

    @Test func `after a reset, an older list lasts until a newer read`() throws {
        let directory = TemporaryDirectory()
        let store = try Store(directory: directory.url, entities: Owner.self)
        let owners: Box<Owner> = store.box()
        let owner = Owner("Ada")
        owner.dogs.append(Dog("Rex"))
        try owners.put(owner)
        try store.read {
            let count = try owners.count()
            #expect(count == 1)
            _ = onOtherThread {
                owner.dogs.append(Dog("Max"))
                _ = try? owners.put(owner)
                owner.dogs.reset()
            }
            #expect(owner.dogs.map(\.name) == ["Rex"])
        }
        #expect(owner.dogs.map(\.name) == ["Rex", "Max"])
        try store.close()
    }
}
