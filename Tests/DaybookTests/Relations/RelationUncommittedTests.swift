@testable import Daybook
import DaybookEngine
import Testing

/// Relations that are read in a transaction that is then rolled back.
@Suite struct RelationUncommittedTests {
    private let home: RelationStore
    private let student: Student
    private let third: Teacher

    init() throws {
        home = try RelationStore()
        let new = Student("Ada")
        new.teachers = [Teacher("first"), Teacher("second")]
        try home.students.put(new)
        try home.teachers.put(Teacher("third"))
        student = try #require(try home.students.get(1))
        third = try #require(try home.teachers.get(3))
    }

    /// Links the third teacher, unlinks the first, runs `body`, and rolls back the transaction.
    private func rollBack(_ body: () throws -> Void) throws {
        let other = try #require(try home.students.get(1))
        #expect(throws: Refusal(number: 1)) {
            try home.store.write {
                other.teachers.append(third)
                other.teachers.remove(at: 0)
                try other.teachers.applyToDb()
                try body()
                throw Refusal(number: 1)
            }
        }
    }

    private var stored: [String]? {
        get throws { try home.students.get(1)?.teachers.map(\.name) }
    }

    @Test func `relations that were read in a rolled-back transaction are read again`() throws {
        try rollBack { #expect(student.teachers.ids == [2, 3]) }
        #expect(student.teachers.ids == [1, 2] && !student.teachers.hasPendingDbChanges)
        student.teachers.append(third)
        try student.teachers.applyToDb()
        #expect(try stored == ["first", "second", "third"])
        try home.store.close()
    }

    @Test func `changes in a rolled-back transaction stay pending, and nothing else`() throws {
        try rollBack {
            #expect(student.teachers.count == 2)
            student.teachers.append(Teacher("new"))
        }
        #expect(student.teachers.map(\.name) == ["first", "second", "new"])
        try rollBack {
            student.teachers.reset()
            #expect(student.teachers.count == 2)
            student.teachers.removeFirst()
            student.teachers.append(Teacher("new"))
        }
        #expect(student.teachers.map(\.name) == ["new"])
        try student.teachers.applyToDb()
        #expect(try stored == ["first", "new"])
        try home.store.close()
    }

    @Test func `a replacement of all members stays a replacement after a rollback`() throws {
        try rollBack { student.teachers.replace([third]) }
        #expect(student.teachers.hasPendingDbChanges)
        try student.teachers.applyToDb()
        #expect(try stored == ["third"])
        try home.store.close()
    }

    @Test
    func `a relation that was applied and changed again before a rollback is written completely`()
        throws
    {
        try rollBack {
            student.teachers.append(Teacher("fourth"))
            try student.teachers.applyToDb()
            #expect(student.teachers.count == 3)
            student.teachers.append(Teacher("fifth"))
        }
        try student.teachers.applyToDb()
        #expect(try stored == ["first", "second", "fourth", "fifth"])
        #expect(student.teachers.map(\.name) == ["first", "second", "fourth", "fifth"])
        try rollBack {
            student.teachers.append(third)
            try student.teachers.applyToDb()
            student.teachers.reset()
            student.teachers.append(Teacher("sixth"))
        }
        try student.teachers.applyToDb()
        #expect(try stored == ["first", "second", "fourth", "fifth", "sixth"])
        try home.store.close()
    }

    @Test func `a read that finished after a put is discarded`() throws {
        let (attachment, stamp) = try #require(student.teachers.unread())
        let rows = try attachment.rows(of: Teacher.self)
        student.teachers.append(third)
        try student.teachers.applyToDb()
        try student.teachers.keep(rows, attachment, stamp)
        #expect(!student.teachers.resolved && student.teachers.ids == [1, 2, 3])
        try home.store.close()
    }
}
