@testable import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite struct BoxTests {
    private func open() throws -> Store {
        try Store(directoryPath: "memory:\(UUID())", entities: Note.self, Person.self)
    }

    // MARK: put

    @Test func `a class object gets its id and keeps it`() throws {
        let store = try open()
        let people = store.box(for: Person.self)
        let ada = Person("Ada")
        let id = try people.put(ada)
        #expect(id == 1 && ada.id == 1)
        ada.name = "Ada Lovelace"
        #expect(try people.put(ada) == 1)
        #expect(try people.count() == 1)
        #expect(try people.get(1)?.name == "Ada Lovelace")
        try store.close()
    }

    @Test func `a put writes the new id into an inout struct`() throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        var note = Note(text: "a")
        #expect(try notes.put(note) == 1)
        #expect(note.id == 0)
        #expect(try notes.put(&note) == 2)
        #expect(note.id == 2)
        var several = [Note(text: "b"), note, Note(text: "c")]
        try notes.put(&several)
        #expect(several.map(\.id) == [3, 2, 4])
        try store.close()
    }

    @Test func `collections of all kinds are put in one commit`() throws {
        let store = try open()
        let people = store.box(for: Person.self)
        let before = try store.sequence
        try people.put([Person("1"), Person("2")])
        try people.put([Person("3"), Person("4")])
        try people.put(ContiguousArray([Person("5")]))
        try people.put([9: Person("6")].values)
        #expect(try people.put([Person("7"), Person("8")]) == [7, 8])
        #expect(try store.sequence == before + 5)
        #expect(try people.all().map(\.name) == (1...8).map(String.init))
        try store.close()
    }

    @Test func `a put of an empty collection makes no commit`() throws {
        let store = try open()
        let before = try store.sequence
        try store.box(for: Person.self).put([])
        #expect(try store.box(for: Note.self).put([]).isEmpty)
        #expect(try store.box(for: Note.self).remove([Id]()) == 0)
        #expect(try store.sequence == before)
        try store.close()
    }

    @Test func `an object that a collection contains twice is stored once`() throws {
        let store = try open()
        let people = store.box(for: Person.self)
        let twin = Person("twin")
        #expect(try people.put([twin, Person("other"), twin]) == [1, 2, 1])
        #expect(try people.count() == 2)
        try store.close()
    }

    @Test func `a failed put of a collection stores no object and clears the new ids`() throws {
        let store = try open()
        let people = store.box(for: Person.self)
        let ada = Person("Ada")
        let old = Person("old")
        try people.put(old)
        old.name = "changed"
        #expect(throws: Refusal(number: 99)) { try people.put([ada, old, Person("unstorable")]) }
        #expect(ada.id == 0 && old.id == 1)
        #expect(try people.all().map(\.name) == ["old"])
        try people.put(ada)
        #expect(try people.all().map(\.name) == ["old", "Ada"])
        try store.close()
    }

    @Test func `each put mode inserts or updates only as documented`() throws {
        let store = try open()
        let people = store.box(for: Person.self)
        let ada = Person("Ada")
        expectError(.notFound) { try people.put(ada, mode: .update) }
        try people.put(ada, mode: .insert)
        expectError(.idExists) { try people.put(ada, mode: .insert) }
        try people.put(ada, mode: .update)
        expectError(.idUnknown) { try people.put(Person("x", id: 50)) }
        expectError(.idInvalid) { try people.put(Person("x", id: .max)) }
        expectError(.idExists) { try people.put([Person("y"), ada], mode: .insert) }
        #expect(try people.count() == 1)
        try store.close()
    }

    // MARK: get

    @Test func `get skips missing objects and keeps the requested order`() throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        try notes.put((1...6).map { Note(text: "\($0)") })
        try notes.remove(4)
        #expect(try notes.get(99) == nil)
        #expect(try notes.get(0) == nil)
        #expect(try notes.get([5, 4, 1, 99, 5]).map(\.text) == ["5", "1", "5"])
        #expect(try notes.get([5, 4, 1, 2], maxCount: 2).map(\.text) == ["5", "1"])
        #expect(try notes.get(Set<Id>([2])).map(\.text) == ["2"])
        #expect(try notes.getAsDictionary([1, 4, 6]).mapValues(\.text) == [1: "1", 6: "6"])
        #expect(try notes.all().map(\.text) == ["1", "2", "3", "5", "6"])
        try store.close()
    }

    @Test func `typed ids work like plain ids`() throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        try notes.put((1...4).map { Note(text: "\($0)") })
        let two: EntityId<Note> = 2
        #expect(try notes.get(two)?.text == "2")
        #expect(try notes.get([two, EntityId(9)]).map(\.text) == ["2"])
        #expect(try notes.getAsDictionary([two])[two]?.text == "2")
        #expect(try notes.contains(two))
        #expect(try !notes.contains([two, EntityId(9)]))
        #expect(try notes.remove(two))
        #expect(try notes.remove([two, EntityId(3)]) == 1)
        #expect(two.description == "2")
        try store.close()
    }

    @Test func `contains requires all ids, and count can be limited`() throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        #expect(try notes.isEmpty())
        try notes.put((1...5).map { Note(text: "\($0)") })
        #expect(try notes.contains(1))
        #expect(try !notes.contains(0))
        #expect(try notes.contains([1, 5]))
        #expect(try !notes.contains([1, 6]))
        #expect(try notes.contains([1, 2, 3]))
        #expect(try notes.contains([Id]()))
        #expect(try notes.count() == 5)
        #expect(try notes.count(limit: 3) == 3)
        #expect(try notes.count(limit: 9) == 5)
        #expect(try notes.count(limit: 0) == 0)
        #expect(try notes.get([5, 4, 1], maxCount: 0).isEmpty)
        expectError(.invalidArgument) { _ = try notes.count(limit: -1) }
        expectError(.invalidArgument) { _ = try notes.get([5], maxCount: -1) }
        #expect(try !notes.isEmpty())
        try store.close()
    }

    // MARK: remove

    @Test func `removing a missing object is not an error, alone or among several`()
        throws
    {
        let store = try open()
        let people = store.box(for: Person.self)
        let all = (1...6).map { Person("\($0)") }
        try people.put(all)
        #expect(try people.remove(1))
        let sequence = try store.sequence
        #expect(try !people.remove(1))
        #expect(try !people.remove(EntityId<Person>(1)))
        #expect(try !people.remove(0))
        #expect(try store.sequence == sequence)
        #expect(try !people.remove(Person("never stored")))
        #expect(try people.remove(all[1]))
        #expect(try people.remove([1, 2, 3, 99]) == 1)
        #expect(try people.remove([all[3], Person("x")]) == 1)
        #expect(try people.remove([all[3], all[4]]) == 1)
        #expect(try people.remove([6, 7]) == 1)
        #expect(try people.isEmpty())
        try store.close()
    }

    @Test func `removing all objects returns their count, makes one commit, and keeps the next id`()
        throws
    {
        let store = try open()
        let notes = store.box(for: Note.self)
        try notes.put((1...5).map { Note(text: "\($0)") })
        let before = try store.sequence
        #expect(try notes.removeAll() == 5)
        #expect(try store.sequence == before + 1)
        #expect(try notes.removeAll() == 0)
        #expect(try notes.put(Note(text: "next")) == 6)
        try store.close()
    }

    @Test func `a removed object can be put again under its id`() throws {
        let store = try open()
        let people = store.box(for: Person.self)
        let ada = Person("Ada")
        try people.put(ada)
        try people.remove(ada)
        #expect(ada.id == 1)
        expectError(.notFound) { try people.put(ada, mode: .update) }
        #expect(try people.put(ada) == 1)
        #expect(try people.count() == 1)
        try store.close()
    }

    // MARK: visit

    @Test func `a visit stops on request and rethrows errors of its closure`() throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        try notes.put((1...5).map { Note(text: "\($0)") })
        var seen: [String] = []
        try notes.visit { note in
            seen.append(note.text)
            return seen.count < 3
        }
        #expect(seen == ["1", "2", "3"])
        #expect(throws: Refusal(number: 2)) {
            try notes.forEach { if $0.id == 2 { throw Refusal(number: 2) } }
        }
        var found: [String?] = []
        try notes.forEach(ids: [5, 9, 1]) { found.append($0?.text) }
        #expect(found == ["5", nil, "1"])
        try store.close()
    }

    @Test func `a visit reads one version, and a visit for writing may write`() throws {
        let store = try open()
        let notes = store.box(for: Note.self)
        try notes.put((1...4).map { Note(text: "\($0)") })
        expectError(.cannotWriteWhileReading) { try notes.forEach { try notes.remove($0.id) } }
        let before = try store.sequence
        var visited = 0
        try notes.forEach(writable: true) { note in
            visited += 1
            try notes.put(Note(text: note.text + " copy"))
            if note.id == 2 { try notes.remove(3) }
        }
        #expect(visited == 3)
        #expect(try notes.all().map(\.text) == ["1", "2", "4", "1 copy", "2 copy", "4 copy"])
        #expect(try store.sequence == before + 1)
        #expect(throws: Refusal.self) {
            try notes.forEach(writable: true) { note in
                try notes.remove(note.id)
                if note.id == 4 { throw Refusal() }
            }
        }
        #expect(try notes.count() == 6)
        try store.close()
    }

    @Test func `a store returns the same box for a type, and throws for an unknown type`() throws {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Note.self)
        let same: Box<Note> = store.box()
        #expect(store.box(for: Note.self) === same)
        let people = store.box(for: Person.self)
        let error = expectError(.entityNotRegistered) { _ = try people.count() }
        #expect(error?.details["entity"] == "Person")
        expectError(.entityNotRegistered) { try people.put(Person("x")) }
        expectError(.entityNotRegistered) { try people.put([]) }
        try store.close()
    }

    @Test func `an object of a subclass is refused because its own properties would be lost`()
        throws
    {
        let store = try Store(directoryPath: "memory:subclass", entities: OpenEntity.self)
        let box = store.box(for: OpenEntity.self)
        expectError(.invalidArgument) { try box.put(OpenSubclass()) }
        expectError(.invalidArgument) { try box.put([OpenEntity(), OpenSubclass()]) }
        let rows = Result {
            try EncodedObjects([OpenSubclass() as OpenEntity], try box.binding(), box.types)
        }
        expectError(.invalidArgument) { _ = try rows.get() }
        #expect(try box.isEmpty())
        try box.put(OpenEntity())
        #expect(try box.count() == 1)
        try store.close()
    }
}
