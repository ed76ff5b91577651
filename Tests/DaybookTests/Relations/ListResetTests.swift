@testable import Daybook
import DaybookEngine
import DaybookRealm
import DaybookRealmModels
import DaybookTestSupport
import Foundation
import Testing

/// Lists of objects that are reset during a put, and lists that cannot be read.
@Suite struct ListResetTests {
    private let directory = TemporaryDirectory()
    private let store: Store

    init() throws { store = try Store(directory: directory.url, entities: Owner.self) }

    private var owners: Box<Owner> { store.box() }

    private func owner(_ names: String...) throws -> Owner {
        let owner = Owner("Ada")
        owner.dogs.append(objectsIn: names.map { Dog($0) })
        try owners.put(owner)
        return try #require(try owners.get(owner.entityId))
    }

    private var names: [String]? { get throws { try owners.get(1)?.dogs.map(\.name) } }

    @Test func `a list that is reset in a failed transaction keeps the stored elements`() throws {
        let owner = try owner("a", "b")
        for isRead in [true, false] {
            #expect(owner.dogs.resolved != isRead || owner.dogs.count == 2)
            #expect(throws: Refusal(number: 1)) {
                try store.write {
                    owner.dogs.append(Dog("c"))
                    try owners.put(owner)
                    owner.dogs.reset()
                    if isRead { #expect(owner.dogs.count == 3) }
                    throw Refusal(number: 1)
                }
            }
            try owners.put(owner)
            #expect(try names == ["a", "b"])
            #expect(owner.dogs.map(\.name) == ["a", "b"])
        }
        try store.close()
    }

    @Test func `a list that is reset during its put keeps the stored elements`() throws {
        let owner = try owner("a", "b")
        for addsMore in [false, true] {
            #expect(owner.dogs.count >= 2)
            owner.dogs.append(Dog("c"))
            var puts = GraphBuilder(owners.types)
            _ = try puts.add(owner, isRoot: true)
            try puts.encode()
            let (graph, receipts) = puts.finish()
            var outcome = GraphOutcome()
            try store.engine.write { outcome = try graph.put(in: $0, PutOptions()) }
            owner.dogs.reset()
            if addsMore { owner.dogs.append(Dog("d")) }
            receipts.settle(outcome)
            try owners.put(owner)
        }
        #expect(try names == ["a", "b", "c", "c", "d"])
        #expect(owner.dogs.map(\.name) == ["a", "b", "c", "c", "d"])
        try store.close()
    }

    @Test func `an edit of an unreadable list is not made, and the next put throws`() throws {
        _ = try owner("a", "b")
        let edits: [(List<Dog>) -> Void] = [
            { $0.insert(Dog("new"), at: 0) }, { $0.insert(Dog("new"), at: 1) },
            { $0.replace(index: 1, object: Dog("new")) }, { $0[0] = Dog("new") },
            { $0.move(from: 0, to: 1) }, { $0.swapAt(0, 1) }, { $0.removeSubrange(0..<2) },
            { $0.removeSubrange(1...) }, { $0.removeAll { _ in true } }, { $0.removeAll() },
            { $0.removeFirst(2) },
        ]
        let found = try edits.map { edit in (try #require(try owners.get(1)), edit) }
        try store.close()
        for (owner, edit) in found {
            edit(owner.dogs)
            #expect(owner.dogs.failure?.code == .closed)
            var puts = GraphBuilder(owners.types)
            _ = try puts.add(owner, isRoot: true)
            let error = #expect(throws: DaybookError.self) { try puts.encode() }
            #expect(error?.code == .closed)
        }
    }

    @Test func `a pending removal from an unreadable list is kept`() throws {
        let home = try RelationStore()
        let student = Student("Ada")
        student.teachers = [Teacher("Curie"), Teacher("Noether")]
        try home.students.put(student)
        let curie = student.teachers[0]
        let edits: [(ToMany<Teacher>) -> Void] = [
            { $0.remove(curie) }, { $0.removeAll { _ in true } }, { $0.insert(curie, at: 0) },
            { $0.removeLast(1) }, { $0.removeSubrange(0...) }, { _ = $0.popLast() },
        ]
        let found = try edits.map { edit in (try #require(try home.students.get(1)), edit) }
        try home.store.close()
        for (student, edit) in found {
            edit(student.teachers)
            expectError(.closed) { try student.teachers.applyToDb() }
            student.teachers.reset()
            try student.teachers.applyToDb()
        }
        try store.close()
    }
}
