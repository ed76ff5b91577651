@testable import Daybook
import DaybookRealm
import DaybookRealmModels
import DaybookTestSupport
import Foundation
import Testing

/// Relations used by `async` callers, and by several threads.
@Suite struct RelationAsyncTests {
    private let home: RelationStore

    init() throws { home = try RelationStore() }

    @Test func `objects with relations have async puts and reads`() async throws {
        let (ada, order) = (Customer("Ada"), Order("Hat"))
        order.customer.target = ada
        #expect(try await home.orders.put(order) == 1)
        #expect(ada.id == 1 && order.customer.targetId == 1)
        let found = try #require(try await home.orders.get(1))
        #expect(try await found.customer.get()?.name == "Ada")
        #expect(try await found.customer.get() === found.customer.target)
        let new = Order("none")
        #expect(try await new.customer.get() == nil)
        var parcel = Parcel(label: "box")
        parcel.notes.append(Note(text: "fragile"))
        try await home.parcels.put(&parcel)
        #expect(parcel.id == 1 && parcel.notes.ids == [1])
        // The same object twice in one put.
        let twice = Order("twice", customer: Customer("Bob"))
        let ids = try await home.orders.put([twice, order, twice])
        #expect(ids == [2, 1, 2])
        try await home.store.close()
    }

    @Test func `relations have async edits`() async throws {
        let student = Student("Ada")
        student.teachers.append(Teacher("Curie"))
        await #expect(throws: DaybookError.self) { try await student.teachers.applyToDb() }
        try await home.students.put(student)
        let found = try #require(try await home.students.get(1))
        found.teachers.append(Teacher("Noether"))
        try await found.teachers.applyToDb()
        #expect(!found.teachers.hasPendingDbChanges)
        try await found.teachers.get()
        #expect(found.teachers.ids == [1, 2])
        #expect(try await found.teachers.countInDb() == 2)
        #expect(try await found.teachers.getUncachedIdsFromDb() == [1, 2])
        #expect(try await found.teachers.getUncachedFromDb().map(\.name) == ["Curie", "Noether"])
        #expect(try await found.teachers.page(after: 1, limit: 5).map(\.id) == [2])
        var seen: [Id] = []
        try await found.teachers.forEachInDb { seen.append($0.id) }
        #expect(seen == [1, 2])
        found.teachers.append(Teacher("gone"))
        let late = try #require(try await home.students.get(1))
        try await home.store.close()
        await #expect(throws: DaybookError.self) { _ = try await late.teachers.get() }
        #expect(late.teachers.failure?.code == .closed)
        await #expect(throws: DaybookError.self) { try await found.teachers.applyToDb() }
        #expect(found.teachers.hasPendingDbChanges)
    }

    @Test func `lists and references have async reads`() async throws {
        let store = try await Store(
            directoryPath: "memory:\(UUID())", entities: Owner.self, Clerk.self)
        let owner = Owner("Ada")
        owner.dogs.append(Dog("Rex"))
        try await store.box().put(owner)
        let found = try #require(try await store.box(for: Owner.self).get(1))
        try await found.dogs.resolve()
        #expect(found.dogs.resolved && found.dogs.map(\.name) == ["Rex"])
        try await found.dogs[0].owners.resolve()
        #expect(found.dogs[0].owners.count == 1)
        let articles = store.box(for: Article.self)
        try await articles.put(Article(name: "pen"))
        let view = try await store.view()
        let clerk = Clerk(badge: Reference(targetId: 1), tools: [1])
        #expect(try await clerk.badge.resolve(in: articles)?.name == "pen")
        #expect(try await clerk.badge.resolve(in: view)?.name == "pen")
        #expect(try await clerk.tools.resolve(in: articles).count == 1)
        #expect(try await clerk.tools.resolve(in: view).count == 1)
        try await store.close()
    }

    /// Shares a value that is not `Sendable` with other threads.
    private struct Shared<Value>: @unchecked Sendable {
        let value: Value
    }

    @Test func `edits of one relation from many threads lose no object`() throws {
        let student = Student("Ada")
        try home.students.put(student)
        let shared = Shared(value: student.teachers)
        let failures = FailureList()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            do {
                for round in 0..<25 {
                    let teacher = Teacher("\(thread).\(round)")
                    shared.value.append(teacher)
                    if round % 3 == 0 { try shared.value.applyToDb() }
                    _ = shared.value.map(\.name)
                    if round % 5 == 4 { shared.value.remove(teacher) }
                    if round % 7 == 6 { _ = shared.value.hasPendingDbChanges }
                }
                try shared.value.applyToDb()
            } catch {
                failures.append(error)
            }
        }
        try student.teachers.applyToDb()
        #expect(failures.errors.isEmpty)
        let expected = Set(
            (0..<8).flatMap { thread in
                (0..<25).filter { $0 % 5 != 4 }.map { "\(thread).\($0)" }
            })
        #expect(Set(student.teachers.map(\.name)) == expected)
        let found = try #require(try home.students.get(1))
        #expect(
            Set(found.teachers.map(\.name)) == expected && found.teachers.count == expected.count)
        try home.store.engine.proveReplay()
        try home.store.close()
    }

    @Test func `many threads read a relation, and each gets the whole content`() throws {
        let student = Student("Ada")
        student.teachers = ToMany((0..<300).map { Teacher("\($0)") })
        try home.students.put(student)
        let found = try #require(try home.students.get(1))
        let shared = Shared(value: found)
        let failures = FailureList()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for _ in 0..<20 {
                if shared.value.teachers.map(\.id) != Array(1...300) {
                    failures.append(Refusal(number: thread))
                }
                if thread == 0 { shared.value.teachers.reset() }
            }
        }
        #expect(failures.errors.isEmpty)
        try home.store.close()
    }
}

/// The errors that the threads threw.
private final class FailureList: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [any Error] = []

    var errors: [any Error] { lock.withLock { all } }
    func append(_ error: any Error) { lock.withLock { all.append(error) } }
}
