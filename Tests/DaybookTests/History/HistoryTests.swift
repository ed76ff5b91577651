@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookTesting
import DaybookTestSupport
import Foundation
import Testing

/// The history of objects and of whole stores.
@Suite struct HistoryTests {
    private let store: Store
    private let notes: Box<Note>

    init() throws {
        store = try Store(directoryPath: "memory:\(UUID())", entities: Note.self)
        notes = store.box(for: Note.self)
    }

    @Test func `the history of an object has the author, time and value of each version`() throws {
        let begin = Date()
        try notes.put(Note(text: "one"))
        try store.write(metadata: ["author": "Ada", "ticket": "7"]) {
            _ = try notes.put(Note(id: 1, text: "two", stars: 5))
        }
        _ = try notes.remove(1)
        let history = try notes.history(of: 1)
        #expect(history.count == 3 && !history.isTruncated)
        #expect(try history.map { try $0.object?.text } == [nil, "two", "one"])
        #expect(try history.map { try $0.before?.text } == ["two", "one", nil])
        #expect(history.map(\.isRemoval) == [true, false, false])
        #expect(history.map(\.id.value) == [1, 1, 1])
        #expect(
            try history.map { try $0.changedProperties } == [
                ["text", "stars"], ["text", "stars"], ["text"],
            ])
        let middle = history[1]
        #expect(middle.metadata.author == "Ada")
        #expect(middle.metadata.others == ["ticket": "7"])
        #expect(history[2].metadata.author == nil)
        #expect(history.map(\.sequence) == history.map(\.sequence).sorted(by: >))
        #expect(history.allSatisfy { $0.date >= begin - 1 && $0.date <= Date() + 1 })
        #expect(try notes.history(of: 9).isEmpty)
        #expect(
            try notes.history(of: EntityId(1), limit: 2).map(\.sequence)
                == history.prefix(2).map(\.sequence))
        #expect(try notes.history(of: 1, limit: 2).last?.before?.text == "one")
        #expect(try notes.history(of: 1, limit: 0).isEmpty)
        #expect(try notes.history(of: 1, limit: -3).isEmpty)
        try store.close()
        expectError(.closed) { _ = try notes.history(of: 1) }
        // Versions that were read do not need the store.
        #expect(try middle.object == Note(id: 1, text: "two", stars: 5))
    }

    @Test func `a history is read in pages`() throws {
        let texts = (1...25).map { "version \($0)" }
        for text in texts { try notes.put(Note(id: text == texts[0] ? 0 : 1, text: text)) }
        let whole = try notes.history(of: 1)
        #expect(!whole.hasOlder)
        #expect(try whole.older().isEmpty)
        var part = try notes.history(of: 1, limit: 7)
        var found: [Version<Note>] = []
        var sizes: [Int] = []
        while true {
            sizes.append(part.count)
            found += part
            guard part.hasOlder else { break }
            // Versions written meanwhile are newer than all remaining ones.
            try notes.put(Note(id: 1, text: "later"))
            part = try part.older(limit: 7)
        }
        #expect(sizes == [7, 7, 7, 4])
        #expect(found.map(\.sequence) == whole.map(\.sequence))
        #expect(try found.map { try $0.object?.text } == texts.reversed())
        #expect(try found.map { try $0.before?.text } == texts.dropLast().reversed() + [nil])
        let none = try notes.history(of: 1, limit: 0)
        #expect(none.isEmpty && none.hasOlder)
        #expect(try none.older(limit: -1).isEmpty)
        #expect(try none.older().count == 28)
        try store.close()
        expectError(.closed) { _ = try none.older() }
    }

    @Test func `the next page reports that a compaction has dropped it meanwhile`() throws {
        var generator = SeededGenerator(seed: 1)
        for number in 0..<6 {
            let letters = (0..<200_000).map { _ in UInt8.random(in: 33...126, using: &generator) }
            let text = String(decoding: letters, as: UTF8.self)
            try notes.put(Note(id: number == 0 ? 0 : 1, text: text))
        }
        let part = try notes.history(of: 1, limit: 1)
        #expect(part.hasOlder && !part.isTruncated)
        _ = try store.engine.compact(.latest, sealsActive: true)
        // Only versions that were read together with the newest are kept.
        let rest = try part.older()
        #expect(rest.isTruncated && !rest.hasOlder)
        #expect((1..<5).contains(rest.count))
        try store.close()
    }

    @Test func `a history reports the floor that a compaction left`() throws {
        try notes.put(Note(text: "one"))
        for text in ["two", "three"] { try notes.put(Note(id: 1, text: text)) }
        _ = try store.engine.compact(.latest, sealsActive: true)
        try notes.put(Note(id: 1, text: "four"))
        let history = try notes.history(of: 1)
        #expect(try history.map { try $0.object?.text } == ["four", "three"])
        #expect(history.isTruncated)
        #expect(history[1].isBeforeGone && !history[0].isBeforeGone)
        #expect(try history[1].before == nil)
        #expect(try notes.history(of: 1, limit: 1).isTruncated == false)
        expectError(.historyTruncated) { _ = try notes.get(1, at: .sequence(1)) }
        expectError(.historyTruncated) { _ = try notes.get(1, at: .date(.distantPast)) }
        try store.close()
    }

    @Test func `extreme dates and sequences are answered or refused`() throws {
        try notes.put(Note(text: "one"))
        for date in [Date.distantFuture, Date(timeIntervalSince1970: .infinity)] {
            #expect(try notes.get(1, at: .date(date))?.text == "one")
            #expect(try store.view(at: .date(date)).box(for: Note.self).count() == 1)
        }
        let past = [
            Date.distantPast, Date(timeIntervalSince1970: -.greatestFiniteMagnitude),
            Date(timeIntervalSince1970: -.infinity),
        ]
        for date in past {
            #expect(try notes.get(1, at: .date(date)) == nil)
            #expect(try store.view(at: .date(date)).sequence == 0)
        }
        #expect(try notes.get(1, at: .sequence(0)) == nil)
        #expect(try notes.get(.max, at: .sequence(1)) == nil)
        #expect(try notes.history(of: .max).isEmpty)
        for moment in [HistoryMoment.sequence(.max), .date(Date(timeIntervalSince1970: .nan))] {
            expectError(.invalidArgument) { _ = try notes.get(1, at: moment) }
            expectError(.invalidArgument) { _ = try store.view(at: moment) }
        }
        try store.close()
    }

    @Test func `an object is read as of a sequence or a date`() throws {
        let before = try store.sequence
        let texts = ["one", "two", "three"]
        for text in texts { try notes.put(Note(id: texts[0] == text ? 0 : 1, text: text)) }
        try notes.remove(1)
        for (index, text) in texts.enumerated() {
            let sequence = before + 1 + UInt64(index)
            #expect(try notes.get(1, at: .sequence(sequence))?.text == text)
            #expect(try notes.get(EntityId(1), at: .sequence(sequence))?.text == text)
        }
        #expect(try notes.get(1, at: .sequence(before)) == nil)
        #expect(try notes.get(1, at: .sequence(before + 4)) == nil)
        for version in try notes.history(of: 1) {
            // Among commits in the same microsecond, the last one counts.
            let same = try notes.history(of: 1).first { $0.date == version.date }
            let found = try notes.get(1, at: .date(version.date))
            #expect(try found == same?.object)
            let view = try store.view(at: .date(version.date))
            #expect(view.sequence == same?.sequence)
        }
        #expect(try notes.get(1, at: .date(.distantPast)) == nil)
        #expect(try notes.get(1, at: .date(.distantFuture)) == nil)
        #expect(try store.view(at: .date(.distantFuture)).sequence == store.sequence)
        expectError(.invalidArgument) { _ = try notes.get(1, at: .sequence(before + 5)) }
        let noDate = Date(timeIntervalSince1970: .nan)
        expectError(.invalidArgument) { _ = try notes.get(1, at: .date(noDate)) }
        expectError(.invalidArgument) { _ = try store.view(at: .date(noDate)) }
        let endless = Date(timeIntervalSince1970: -.infinity)
        #expect(try store.view(at: .date(endless)).sequence == 0)
        try store.close()
        expectError(.closed) { _ = try notes.get(1, at: .sequence(before)) }
    }

    @Test func `two versions are compared object by object`() throws {
        try notes.put([Note(text: "stays"), Note(text: "changes"), Note(text: "goes")])
        let older = try store.view()
        try notes.put(Note(id: 2, text: "changed"))
        try notes.remove(3)
        try notes.put(Note(text: "comes", stars: 1))
        try notes.put(Note(text: "comes and goes"))
        try notes.remove(5)
        try notes.put(Note(id: 1, text: "stays"))
        let newer = try store.view()
        let past = try store.view(at: .sequence(older.sequence))
        for older in [older, past] {
            let found = try newer.changes(of: Note.self, since: older)
            #expect(found.map(\.id.value) == [1, 2, 3, 4])
            #expect(try found.map { try $0.before?.text } == ["stays", "changes", "goes", nil])
            #expect(try found.map { try $0.after?.text } == ["stays", "changed", nil, "comes"])
            #expect(
                try found.map { try $0.changedProperties } == [
                    [], ["text"], ["text"], ["text", "stars"],
                ])
            let back = try older.changes(of: Note.self, since: newer)
            #expect(try back.map { try $0.after?.text } == ["stays", "changes", "goes", nil])
        }
        #expect(try newer.changes(of: Note.self, since: newer).isEmpty)
        let other = try Store(directoryPath: "memory:\(UUID())", entities: Note.self)
        let stranger = try other.view()
        expectError(.invalidArgument) { _ = try newer.changes(of: Note.self, since: stranger) }
        expectError(.entityNotRegistered) { _ = try newer.changes(of: Person.self, since: older) }
        try other.close()
        try store.close()
        expectError(.closed) { _ = try newer.changes(of: Note.self, since: older) }
    }

    @Test(arguments: Seeds.first(4 * Seeds.rounds))
    func `applying a difference to the old version gives the new version`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var models: [UInt64: [Id: String]] = [try store.sequence: [:]]
        var model: [Id: String] = [:]
        for round in 0..<40 {
            try store.write {
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    let known = model.keys.sorted().randomElement(using: &generator)
                    if let known, Int.random(in: 0..<3, using: &generator) == 0 {
                        _ = try notes.remove(known)
                        model[known] = nil
                    } else {
                        let isNew = Bool.random(using: &generator)
                        let id = try notes.put(Note(id: isNew ? 0 : known ?? 0, text: "\(round)"))
                        model[id] = "\(round)"
                    }
                }
            }
            models[try store.sequence] = model
        }
        let sequences = models.keys.sorted()
        for _ in 0..<30 {
            let (from, to) = (
                sequences.randomElement(using: &generator) ?? 0,
                sequences.randomElement(using: &generator) ?? 0
            )
            let (older, newer) = (
                try store.view(at: .sequence(from)), try store.view(at: .sequence(to))
            )
            var state = models[from] ?? [:]
            for change in try newer.changes(of: Note.self, since: older) {
                #expect(try change.before?.text == state[change.id.value], "seed \(seed)")
                state[change.id.value] = try change.after?.text
            }
            #expect(state == models[to], "seed \(seed), from \(from) to \(to)")
        }
        try store.close()
    }

    @Test func `a history has async calls`() async throws {
        try await notes.put(Note(text: "one"))
        let older = try await store.view()
        try await notes.put(Note(id: 1, text: "two"))
        let history = try await notes.history(of: 1)
        #expect(try history.map { try $0.object?.text } == ["two", "one"])
        let part = try await notes.history(of: EntityId(1), limit: 1)
        #expect(part.count == 1 && part.hasOlder)
        let rest = try await part.older(limit: 3)
        #expect(try rest.map { try $0.object?.text } == ["one"])
        #expect(!rest.hasOlder)
        let moment = HistoryMoment.sequence(older.sequence)
        #expect(try await notes.get(1, at: moment)?.text == "one")
        #expect(try await notes.get(EntityId(1), at: moment)?.text == "one")
        let date = HistoryMoment.date(history[0].date)
        #expect(try await store.view(at: date).box(for: Note.self).get(1)?.text == "two")
        let newer = try await store.view()
        let changes = try await newer.changes(of: Note.self, since: older)
        #expect(try changes.map { try $0.after?.text } == ["two"])
        try await store.close()
        await #expect(throws: DaybookError.self) { _ = try await notes.history(of: 1) }
        await #expect(throws: DaybookError.self) { _ = try await part.older() }
        await #expect(throws: DaybookError.self) { _ = try await notes.get(1, at: moment) }
    }
}

/// The history of objects with relations.
@Suite struct RelationHistoryTests {
    private let home: RelationStore

    init() throws { home = try RelationStore() }

    @Test func `a past version of an object has its links of that time`() throws {
        let student = Student("Ada")
        student.teachers = [Teacher("Curie")]
        try home.students.put(student)
        let first = try home.store.sequence
        student.teachers.append(Teacher("Noether"))
        try student.teachers.applyToDb()
        let now = try #require(try home.students.get(1))
        #expect(now.teachers.map(\.name) == ["Curie", "Noether"])
        let then = try #require(try home.students.get(1, at: .sequence(first)))
        #expect(then.teachers.map(\.name) == ["Curie"])
        #expect(try home.students.history(of: 1).count == 1)
        try home.store.close()
    }

    @Test func `link differences have async calls`() async throws {
        let student = Student("Ada")
        student.teachers = [Teacher("Curie")]
        let older = try await home.store.view()
        try await home.students.put(student)
        let newer = try await home.store.view()
        let found = try await newer.linkChanges(since: older)
        #expect(found.map(\.isLink) == [true])
        try await home.store.close()
        await #expect(throws: DaybookError.self) { try await newer.linkChanges(since: older) }
    }

    @Test func `the links of two versions are compared`() throws {
        let student = Student("Ada")
        student.teachers = [Teacher("Curie")]
        try home.students.put(student)
        let older = try home.store.view()
        #expect(try older.linkChanges(since: older).isEmpty)
        student.teachers.removeAll()
        student.teachers.append(Teacher("Noether"))
        try student.teachers.applyToDb()
        let newer = try home.store.view()
        #expect(try newer.changes(of: Student.self, since: older).isEmpty)
        let past = try home.store.view(at: .sequence(older.sequence))
        for older in [older, past] {
            let found = try newer.linkChanges(since: older)
            #expect(found.map(\.isLink) == [false, true])
            #expect(found.map(\.target) == [1, 2])
            #expect(found.map(\.source) == [1, 1])
            #expect(Set(found.map(\.relation)) == ["Student.teachers"])
            #expect(Set(found.map(\.targetEntity)) == ["Teacher"])
            let back = try older.linkChanges(since: newer)
            #expect(back.map(\.isLink) == [true, false])
            #expect(back.map(\.target) == [1, 2])
        }
        let other = try RelationStore()
        let stranger = try other.store.view()
        expectError(.invalidArgument) { _ = try newer.linkChanges(since: stranger) }
        try other.store.close()
        try home.store.close()
        expectError(.closed) { _ = try newer.linkChanges(since: older) }
    }
}
