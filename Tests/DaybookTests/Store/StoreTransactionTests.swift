import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite struct StoreTransactionTests {
    private func open() throws -> (Store, Box<Note>) {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Note.self, Person.self)
        return (store, store.box())
    }

    @Test func `boxes of several entities share one transaction`() throws {
        let (store, notes) = try open()
        let people = store.box(for: Person.self)
        let before = try store.sequence
        let count = try store.write {
            try notes.put(Note(text: "a"))
            try people.put(Person("b"))
            return try notes.count() + people.count()
        }
        #expect(count == 2)
        #expect(try store.sequence == before + 1)
        try store.close()
    }

    @Test func `an operation that fails may be caught, and the transaction continues`() throws {
        let (store, notes) = try open()
        try notes.put(Note(text: "there"))
        try store.write {
            try notes.put(Note(text: "first"))
            expectError(.notFound) { try notes.put(Note(id: 1_000, text: "x"), mode: .update) }
            expectError(.idExists) { try notes.put(Note(id: 1, text: "x"), mode: .insert) }
            expectError(.idUnknown) {
                try notes.put([Note(text: "lost"), Note(id: 500, text: "x")])
            }
            try notes.put(Note(text: "second"))
        }
        #expect(try notes.all().map(\.text) == ["there", "first", "second"])
        try store.close()
    }

    @Test func `a failed inner block aborts both transactions`() throws {
        let (store, notes) = try open()
        expectError(.transactionAborted) {
            try store.write {
                try notes.put(Note(text: "outer"))
                try? store.write { throw Refusal() }
                expectError(.transactionAborted) { try notes.put(Note(text: "more")) }
            }
        }
        #expect(try notes.isEmpty())
        #expect(throws: Refusal.self) {
            try store.write {
                try notes.put(Note(text: "outer"))
                throw Refusal()
            }
        }
        #expect(try notes.isEmpty())
        try store.close()
    }

    @Test func `a put of a struct with a rolled-back id overwrites no other object`() throws {
        let (store, notes) = try open()
        var note = Note(text: "mine")
        #expect(throws: Refusal.self) {
            try store.write {
                try notes.put(&note)
                throw Refusal()
            }
        }
        #expect(note.id != 0)
        #expect(try notes.get(note.id) == nil)
        let other = try notes.put(Note(text: "other"))
        try notes.put(&note)
        #expect(try notes.get(other)?.text == "other")
        #expect(try notes.count() == 2)
        try store.close()
    }

    @Test func `transactions of twenty threads all commit, and readers see each one completely`()
        throws
    {
        let (store, notes) = try open()
        try onThreads(20) { number in
            for _ in 0..<3 {
                try store.write {
                    try notes.put(Note(text: "\(number)"))
                    try notes.put(Note(text: "\(number)"))
                }
                let count = try store.read { () throws in
                    let count = try notes.count()
                    return try notes.all().count == count ? count : -1
                }
                guard count > 0, count % 2 == 0 else { throw Refusal(number: count) }
            }
        }
        #expect(try notes.count() == 120)
        try store.close()
    }

    @Test func `closing a store inside its own transaction is refused`() throws {
        let (store, notes) = try open()
        try store.write {
            try notes.put(Note(text: "a"))
            expectError(.invalidArgument) { try store.close() }
        }
        #expect(try notes.count() == 1)
        try store.close()
    }

    @Test func `counts inside a transaction include each kind of change`() throws {
        let (store, notes) = try open()
        let people = store.box(for: Person.self)
        try notes.put((1...5).map { Note(text: "\($0)") })
        try store.write {
            var ids: Set<Id> = [1, 2, 3, 4, 5]
            func check() throws {
                #expect(try notes.count() == ids.count)
                #expect(try notes.isEmpty() == ids.isEmpty)
            }
            for round in 0..<3 {
                ids.insert(try notes.put(Note(text: "new")))
                try check()
                try notes.put(Note(id: 1, text: "replaced, or back again"))
                ids.insert(1)
                try check()
                try people.put(Person("of another entity"))
                let last = try #require(ids.max())
                try notes.remove(last)
                ids.remove(last)
                // Two changes at once, undone at once, with and without a count in between.
                if round != 1 { try check() }
                expectError(.idUnknown) {
                    try notes.put([
                        Note(text: "x"), Note(id: 1, text: "y"), Note(id: 900, text: ""),
                    ])
                }
                try check()
                ids.remove(1)
                try notes.remove([1, 77])
                try check()
                #expect(try people.count() == round + 1)
            }
            expectError(.idUnknown) {
                _ = try store.box(for: Note.self).put(
                    [Note(text: "x"), Note(id: 900, text: "")])
            }
            try check()
            try notes.removeAll()
            ids = []
            try check()
        }
        #expect(try notes.isEmpty())
        try store.close()
    }

    /// A user's collection may run any code when its elements are read.
    @Test func `a put reads its whole collection before it writes the first object`() throws {
        let (store, notes) = try open()
        try notes.put(Note(text: "a"))
        try store.write {
            let counting = CountingNotes(base: ["b", "c"]) { _ in
                let count = try notes.count()
                #expect(count == 1)
            }
            expectError(.idUnknown) { try notes.put(counting) }
            #expect(try notes.count() == 1)
            try notes.put(Note(text: "d"))
            #expect(try notes.count() == 2)
        }
        #expect(try notes.count() == 2)
        try store.close()
    }
}

/// New notes that access the store while they are being put; the last one has an unknown id.
private struct CountingNotes: Collection {
    let base: [String]
    let look: (Int) throws -> Void

    var startIndex: Int { 0 }
    var endIndex: Int { base.count + 1 }
    func index(after index: Int) -> Int { index + 1 }
    subscript(index: Int) -> Note {
        do { try look(index) } catch { Issue.record(error) }
        return index < base.count ? Note(text: base[index]) : Note(id: 900, text: "")
    }
}
