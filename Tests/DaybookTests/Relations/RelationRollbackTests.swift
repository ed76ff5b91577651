@testable import Daybook
import DaybookEngine
import DaybookRealm
import DaybookRealmModels
import DaybookTestSupport
import Foundation
import Testing

/// Relations that are put in a transaction that is then rolled back: the next put still writes the
/// changes.
@Suite struct RelationRollbackTests {
    private let home: RelationStore

    init() throws { home = try RelationStore() }

    /// Runs a block in a transaction that fails.
    private func rollBack(_ body: () throws -> Void) {
        #expect(throws: Refusal(number: 1)) {
            try home.store.write {
                try body()
                throw Refusal(number: 1)
            }
        }
    }

    @Test func `rolled-back objects can be put again with all their relations`() throws {
        let order = Order("Hat", customer: Customer("Ada"))
        rollBack { try home.orders.put(order) }
        #expect(try home.orders.isEmpty() && home.customers.isEmpty())
        #expect(order.customer.target?.name == "Ada")
        try home.orders.put(order)
        #expect(try home.orders.all().map { $0.customer.target?.name } == ["Ada"])
        let student = Student("Ada")
        student.teachers.append(Teacher("Curie"))
        rollBack {
            try home.students.put(student)
            student.teachers.append(Teacher("Noether"))
            try student.teachers.applyToDb()
        }
        #expect(student.teachers.map(\.name) == ["Curie", "Noether"])
        student.teachers.append(Teacher("Hopper"))
        try home.students.put(student)
        let found = try #require(try home.students.all().first)
        #expect(found.teachers.map(\.name).sorted() == ["Curie", "Hopper", "Noether"])
        #expect(!student.teachers.hasPendingDbChanges)
        #expect(try home.teachers.count() == 3)
        try home.store.close()
    }

    @Test func `reads of a new object inside a rolled-back transaction are discarded`()
        throws
    {
        let ada = Customer("Ada")
        let hat = Order("Hat")
        ada.orders.append(hat)
        rollBack {
            try home.customers.put(ada)
            #expect(hat.customer.target?.name == "Ada")
        }
        #expect(hat.customer.targetId == nil)
        let emmy = Customer("Emmy")
        rollBack {
            try home.orders.put(Order("Coat", customer: emmy))
            #expect(emmy.orders.map(\.summary) == ["Coat"])
        }
        #expect(emmy.orders.isEmpty)
        try home.customers.put(emmy)
        #expect(emmy.orders.isEmpty)
        try home.store.close()
    }

    @Test func `rolled-back links are written by the next put`() throws {
        let student = Student("Ada")
        student.teachers = [Teacher("Curie"), Teacher("Noether")]
        let order = Order("Hat", customer: Customer("Ada"))
        try home.students.put(student)
        try home.orders.put(order)
        let (lazy, read) = (
            try #require(try home.students.get(1)), try #require(try home.students.get(1))
        )
        #expect(read.teachers.count == 2)
        rollBack {
            read.teachers.removeFirst()
            try read.teachers.applyToDb()
            lazy.teachers.append(Teacher("Hopper"))
            try lazy.teachers.applyToDb()
            #expect(lazy.teachers.count == 2)
            order.customer.target = nil
            try home.orders.put(order)
        }
        #expect(read.teachers.hasPendingDbChanges && lazy.teachers.hasPendingDbChanges)
        try read.teachers.applyToDb()
        try lazy.teachers.applyToDb()
        try home.orders.put(order)
        #expect(try home.students.get(1)?.teachers.map(\.name) == ["Noether", "Hopper"])
        #expect(try home.orders.get(1)?.customer.hasValue == false)
        read.teachers.removeAll()
        rollBack {
            try read.teachers.applyToDb()
            read.teachers.reset()
        }
        #expect(!read.teachers.hasPendingDbChanges && read.teachers.count == 2)
        try home.store.close()
    }

    @Test func `a failed put inside a transaction is rolled back, and the transaction continues`()
        throws
    {
        let order = Order("Hat", customer: Customer("Ada"))
        try home.store.write {
            expectError(.notFound) {
                try home.orders.put([order, order, try stranger()])
            }
            #expect(order.id == 0 && order.customer.target?.id == 0)
            try home.orders.put(order)
        }
        #expect(try home.orders.count() == 1 && home.customers.count() == 1)
        #expect(try home.orders.all().first?.customer.target?.name == "Ada")
        try home.store.close()
    }

    /// Returns an order whose customer does not exist.
    private func stranger() throws -> Order {
        let order = Order("Shoes")
        order.customer.targetId = 99
        return order
    }

    @Test func `a rolled-back list is written by the next put`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Owner.self)
        let box = store.box(for: Owner.self)
        let owner = Owner("Ada")
        owner.dogs.append(Dog("Rex"))
        func rollBack(_ body: () throws -> Void) {
            #expect(throws: Refusal(number: 2)) {
                try store.write {
                    try body()
                    throw Refusal(number: 2)
                }
            }
        }
        rollBack { try box.put(owner) }
        try box.put(owner)
        #expect(try box.all().first?.dogs.map(\.name) == ["Rex"])
        let (lazy, read) = (try #require(try box.all().first), try #require(try box.all().first))
        #expect(read.dogs.count == 1)
        rollBack {
            read.dogs.insert(Dog("Max"), at: 0)
            try box.put(read)
            lazy.dogs.append(Dog("Bello"))
            try box.put(lazy)
        }
        try box.put(read)
        try box.put(lazy)
        #expect(try box.all().first?.dogs.map(\.name) == ["Max", "Rex", "Bello"])
        try store.close()
    }
}
