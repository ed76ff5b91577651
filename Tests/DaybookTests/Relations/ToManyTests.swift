@testable import Daybook
import DaybookEngine
import DaybookTestSupport
import Testing

/// To-many relations and backlinks.
@Suite struct ToManyTests {
    private let home: RelationStore

    init() throws { home = try RelationStore() }

    /// Returns a stored student with `count` teachers, whose relation was not read.
    private func storedStudent(_ count: Int) throws -> Student {
        let student = Student("Ada")
        student.teachers = ToMany((1...count).map { Teacher("teacher \($0)") })
        try home.students.put(student)
        return try #require(try home.students.get(student.id))
    }

    // MARK: Reading

    @Test func `a relation is read once and stays unchanged until reset`() throws {
        let student = try storedStudent(2)
        #expect(!student.teachers.resolved)
        #expect(student.teachers.count == 2 && student.teachers.resolved)
        let other = try #require(try home.students.get(1))
        other.teachers.append(Teacher("third"))
        try other.teachers.applyToDb()
        #expect(student.teachers.count == 2)
        #expect(try student.teachers.countInDb() == 3)
        #expect(try student.teachers.getUncachedIdsFromDb() == [1, 2, 3])
        #expect(try student.teachers.getUncachedFromDb().last?.name == "third")
        student.teachers.reset()
        #expect(!student.teachers.resolved && student.teachers.count == 3)
        try home.store.close()
    }

    @Test func `pages and an iteration read few objects at a time`() throws {
        let student = try storedStudent(700)
        #expect(try student.teachers.page(limit: 3).map(\.id) == [1, 2, 3])
        #expect(try student.teachers.page(after: 3, limit: 2).map(\.id) == [4, 5])
        #expect(try student.teachers.page(after: 700, limit: 2).isEmpty)
        #expect(try student.teachers.page(limit: -1).isEmpty)
        #expect(try student.teachers.page(after: .init(.max), limit: .max).isEmpty)
        var seen: [Id] = []
        try student.teachers.forEachInDb { seen.append($0.id) }
        #expect(seen == Array(1...700) && !student.teachers.resolved)
        #expect(throws: Refusal(number: 3)) {
            try student.teachers.forEachInDb { _ in throw Refusal(number: 3) }
        }
        try home.store.close()
    }

    @Test func `removed objects disappear from relations`() throws {
        let student = try storedStudent(3)
        try home.teachers.remove(2)
        #expect(student.teachers.map(\.id) == [1, 3])
        try home.students.remove(1)
        #expect(try home.teachers.get(1)?.students.isEmpty == true)
        try home.store.close()
    }

    // MARK: Editing

    @Test func `a relation is edited like an array`() throws {
        let student = try storedStudent(5)
        let teachers = student.teachers
        teachers.remove(at: 1)
        teachers.insert(Teacher("new"), at: 1)
        teachers.removeFirst()
        teachers.removeLast()
        teachers.removeAll { $0.name == "teacher 3" }
        #expect(teachers.map(\.name) == ["new", "teacher 4"])
        teachers.replaceSubrange(0..<1, with: [Teacher("other")])
        teachers.insert(contentsOf: [Teacher("a"), Teacher("b")], at: 2)
        #expect(teachers.map(\.name) == ["other", "teacher 4", "a", "b"])
        #expect(teachers.popLast()?.name == "b")
        teachers.removeSubrange(1...1)
        teachers.removeLast(7)
        teachers.removeFirst(0)
        #expect(teachers.isEmpty && teachers.popLast() == nil)
        teachers.append(contentsOf: [Teacher("c"), Teacher("d")])
        #expect(teachers.ids == [0, 0])
        #expect(
            try home.records { try teachers.applyToDb() } == ["put": 2, "link": 2, "unlink": 5])
        #expect(teachers.ids == [6, 7])
        #expect(try home.students.get(1)?.teachers.map(\.name) == ["c", "d"])
        try home.store.close()
    }

    @Test func `a put writes only the difference, and nothing for changes that cancel out`() throws
    {
        let student = try storedStudent(3)
        #expect(try home.records { try student.teachers.applyToDb() } == [:])
        let second = student.teachers[1]
        student.teachers.remove(at: 1)
        #expect(student.teachers.hasPendingDbChanges)
        student.teachers.append(second)
        #expect(!student.teachers.hasPendingDbChanges)
        #expect(try home.records { try student.teachers.applyToDb() } == [:])
        let new = Teacher("new")
        student.teachers.append(new)
        #expect(student.teachers.remove(new) && !student.teachers.remove(new))
        #expect(try home.records { try student.teachers.applyToDb() } == [:])
        #expect(new.id == 0)
        student.teachers.remove(at: 0)
        #expect(try home.records { try student.teachers.applyToDb() } == ["unlink": 1])
        try home.store.close()
    }

    @Test func `an append to a large relation reads no members`() throws {
        let student = try storedStudent(3)
        let new = Teacher("new")
        student.teachers.append(new)
        #expect(!student.teachers.resolved && student.teachers.hasPendingDbChanges)
        #expect(try home.records { try student.teachers.applyToDb() } == ["put": 1, "link": 1])
        #expect(!student.teachers.resolved && !student.teachers.hasPendingDbChanges)
        student.teachers.append(try #require(try home.teachers.get(1)))
        #expect(try home.records { try student.teachers.applyToDb() } == [:])
        #expect(student.teachers.ids == [1, 2, 3, 4])
        try home.store.close()
    }

    @Test func `a relation contains each object once, even if it is added repeatedly`() throws {
        let student = try storedStudent(2)
        let (new, twin) = (Teacher("new"), try #require(try home.teachers.get(1)))
        student.teachers.append(contentsOf: [new, new, twin])
        #expect(student.teachers.count == 3)
        student.teachers.append(contentsOf: student.teachers)
        student.teachers.insert(new, at: 0)
        student.teachers.replaceSubrange(0..<2, with: [new, twin])
        #expect(student.teachers.map(\.name) == ["teacher 1", "new"])
        student.teachers.replace([new, twin, new])
        try student.teachers.applyToDb()
        #expect(try home.students.get(1)?.teachers.ids == [1, 3])
        try home.store.close()
    }

    @Test func `a put of the owner applies pending changes and distinguishes new structs`() throws {
        var parcel = Parcel(label: "box")
        parcel.notes.append(Note(text: "same"))
        parcel.notes.append(Note(text: "same"))
        try home.parcels.put(&parcel)
        #expect(parcel.notes.ids == [1, 2])
        parcel.notes.removeFirst()
        parcel.notes.append(Note(text: "other"))
        try home.parcels.put(parcel)
        #expect(try home.parcels.get(1)?.notes.map(\.text) == ["same", "other"])
        #expect(parcel.notes.ids == [2, 3] && !parcel.notes.hasPendingDbChanges)
        try home.store.close()
    }

    @Test func `concurrent additions of other writers stay`() throws {
        let (one, other) = (try storedStudent(2), try #require(try home.students.get(1)))
        #expect(one.teachers.count == 2)
        other.teachers.append(Teacher("from elsewhere"))
        try other.teachers.applyToDb()
        one.teachers.removeFirst(2)
        #expect(try home.records { try one.teachers.applyToDb() } == ["unlink": 2])
        #expect(try home.students.get(1)?.teachers.ids == [3])
        try home.store.close()
    }

    @Test func `assigning a relation to a stored owner replaces its links, and nil keeps them`()
        throws
    {
        let student = try storedStudent(3)
        student.teachers = nil
        try home.students.put(student)
        #expect(try home.students.get(1)?.teachers.ids == [1, 2, 3])
        student.teachers = [try #require(try home.teachers.get(2)), Teacher("new")]
        try home.students.put(student)
        #expect(try home.students.get(1)?.teachers.ids == [2, 4])
        let other = Student("Bob")
        other.teachers = student.teachers
        try home.students.put(other)
        #expect(try home.students.get(2)?.teachers.ids == [2, 4])
        #expect(try home.students.get(1)?.teachers.ids == [2, 4])
        student.teachers = []
        try home.students.put(student)
        #expect(try home.students.get(1)?.teachers.isEmpty == true)
        try home.store.close()
    }

    @Test func `reset discards changes, and has no effect before the first put`() throws {
        let student = try storedStudent(2)
        student.teachers.removeAll()
        student.teachers.append(Teacher("new"))
        student.teachers.reset()
        #expect(!student.teachers.hasPendingDbChanges && student.teachers.ids == [1, 2])
        let new = Student("Bob")
        new.teachers.append(Teacher("first"))
        new.teachers.reset()
        #expect(new.teachers.count == 1)
        try home.store.close()
    }

    @Test func `filter and map do not change the relation`() throws {
        let student = try storedStudent(3)
        let some = student.teachers.filter { $0.id != 2 }
        #expect(some.map(\.id) == [1, 3] && student.teachers.count == 3)
        #expect(Array(student.teachers[1...]).map(\.id) == [2, 3])
        #expect(student.teachers.reversed().map(\.id) == [3, 2, 1])
        #expect(!student.teachers.hasPendingDbChanges)
        try home.store.close()
    }

    // MARK: Errors

    @Test func `a relation of an unsaved owner is empty, and cannot be applied`() throws {
        let student = Student("Ada")
        #expect(student.teachers.isEmpty && !student.teachers.canInteractWithDb)
        student.teachers.append(Teacher("new"))
        expectError(.cannotRelateToUnsaved) { try student.teachers.applyToDb() }
        expectError(.cannotRelateToUnsaved) { _ = try student.teachers.getUncachedFromDb() }
        expectError(.cannotRelateToUnsaved) { _ = try student.teachers.countInDb() }
        #expect(student.teachers.count == 1)
        try home.students.put(student)
        #expect(student.teachers.ids == [1] && student.teachers.canInteractWithDb)
        try home.store.close()
    }

    @Test func `a relation of a closed store is empty and reports the reason`() throws {
        let student = try storedStudent(2)
        let loaded = try #require(try home.students.get(1))
        #expect(loaded.teachers.count == 2)
        try home.store.close()
        #expect(student.teachers.isEmpty && student.teachers.failure?.code == .closed)
        #expect(Array(student.teachers).isEmpty && !student.teachers.canInteractWithDb)
        expectError(.closed) { try student.teachers.get() }
        expectError(.closed) { try student.teachers.get() }
        student.teachers.append(Teacher("new"))
        #expect(student.teachers.count == 1)
        expectError(.closed) { try student.teachers.applyToDb() }
        loaded.teachers.removeAll()
        expectError(.closed) { try loaded.teachers.applyToDb() }
        #expect(loaded.teachers.hasPendingDbChanges)
    }

    @Test func `a relation that cannot be read loses no link`() throws {
        let student = try storedStudent(2)
        try home.store.close()
        student.teachers.removeAll()
        expectError(.closed) { try student.teachers.applyToDb() }
        try home.reopen()
        let found = try #require(try home.students.get(1))
        #expect(found.teachers.count == 2)
        try home.store.close()
    }

    @Test func `a refused change stays pending, and nothing is written`() throws {
        let student = try storedStudent(2)
        let gone = try #require(try home.teachers.get(2))
        try home.teachers.remove(2)
        student.teachers.append(gone)
        let new = Teacher("new")
        student.teachers.append(new)
        expectError(.notFound) { try student.teachers.applyToDb() }
        #expect(new.id == 0 && student.teachers.hasPendingDbChanges)
        #expect(try home.teachers.count() == 1)
        student.teachers.remove(gone)
        try student.teachers.applyToDb()
        #expect(new.id != 0)
        try home.store.close()
    }

    @Test func `a relation of another store is refused`() throws {
        let student = try storedStudent(2)
        let other = try RelationStore()
        let error = expectError(.relationOfAnotherStore) { try other.students.put(student) }
        #expect(error?.details["property"] == "teachers")
        #expect(try other.students.isEmpty() && other.teachers.isEmpty())
        try other.store.close()
        try home.store.close()
    }
}
