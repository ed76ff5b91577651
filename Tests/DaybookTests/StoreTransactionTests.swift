import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite struct StoreTransactionTests {
    private func open() throws -> (Store, Box<Note>) {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Note.self, Person.self)
        return (store, store.box())
    }

    @Test func `boxes of several entities take part in one transaction`() throws {
        let (store, notes) = try open()
        let people = store.box(for: Person.self)
        let before = try store.sequence
        let count = try store.runInTransaction {
            try notes.put(Note(text: "a"))
            try people.put(Person("b"))
            return try notes.count() + people.count()
        }
        #expect(count == 2)
        #expect(try store.sequence == before + 1)
        try store.close()
    }

    @Test func `an operation that fails may be caught and the transaction goes on`() throws {
        let (store, notes) = try open()
        try notes.put(Note(text: "there"))
        try store.runInTransaction {
            try notes.put(Note(text: "first"))
            expectError(.notFound) { try notes.remove(77) }
            expectError(.idExists) { try notes.put(Note(id: 1, text: "x"), mode: .insert) }
            expectError(.idUnknown) {
                try notes.put([Note(text: "lost"), Note(id: 500, text: "x")])
            }
            try notes.put(Note(text: "second"))
        }
        #expect(try notes.all().map(\.text) == ["there", "first", "second"])
        try store.close()
    }

    @Test func `a block that fails inside another dooms both`() throws {
        let (store, notes) = try open()
        expectError(.transactionDoomed) {
            try store.runInTransaction {
                try notes.put(Note(text: "outer"))
                try? store.runInTransaction { throw Refusal() }
                expectError(.transactionDoomed) { try notes.put(Note(text: "more")) }
            }
        }
        #expect(try notes.isEmpty())
        #expect(throws: Refusal.self) {
            try store.runInTransaction {
                try notes.put(Note(text: "outer"))
                throw Refusal()
            }
        }
        #expect(try notes.isEmpty())
        try store.close()
    }

    @Test func `a struct that kept the id of a rolled-back put harms no other`() throws {
        let (store, notes) = try open()
        var note = Note(text: "mine")
        #expect(throws: Refusal.self) {
            try store.runInTransaction {
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

    @Test func `twenty threads of transactions all commit, and readers see whole ones`() throws {
        let (store, notes) = try open()
        try onThreads(20) { number in
            for _ in 0..<3 {
                try store.runInTransaction {
                    try notes.put(Note(text: "\(number)"))
                    try notes.put(Note(text: "\(number)"))
                }
                let count = try store.runInReadOnlyTransaction { () throws in
                    let count = try notes.count()
                    return try notes.all().count == count ? count : -1
                }
                guard count > 0, count % 2 == 0 else { throw Refusal(number: count) }
            }
        }
        #expect(try notes.count() == 120)
        try store.close()
    }

    @Test func `closing inside a transaction of the store is refused`() throws {
        let (store, notes) = try open()
        try store.runInTransaction {
            try notes.put(Note(text: "a"))
            expectError(.invalidArgument) { try store.close() }
        }
        #expect(try notes.count() == 1)
        try store.close()
    }
}
