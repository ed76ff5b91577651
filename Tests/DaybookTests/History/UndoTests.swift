@testable import Daybook
import DaybookBytes
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

@Suite struct UndoTests {
    private func open() throws -> (Store, Box<Note>) {
        let store = try Store(directoryPath: "memory:\(UUID())", entities: Note.self, Reading.self)
        return (store, store.box())
    }

    private func metadata(_ store: Store, _ sequence: UInt64?) throws -> CommitMetadata? {
        var found: CommitMetadata?
        try store.engine.forEachTransaction { transaction in
            if transaction.sequence == sequence {
                found = CommitMetadata(pairs: transaction.metadata)
            }
            return true
        }
        return found
    }

    @Test func `inserted objects are removed, and changed and removed objects are restored`() throws
    {
        let (store, notes) = try open()
        let changed = try notes.put(Note(text: "a", stars: 1))
        let removed = try notes.put(Note(text: "b", stars: 2))
        let before = try notes.all()
        try store.write {
            try notes.put(Note(id: changed, text: "changed", stars: 1))
            try notes.remove(removed)
            try notes.put(Note(text: "new"))
        }
        let after = try notes.all()
        let report = try store.undo(
            .commit(try store.sequence), metadata: CommitMetadata(author: "ada"))
        #expect(try notes.all() == before)
        #expect(report.changedCount == 1 && report.restoredCount == 1 && report.removedCount == 1)
        #expect(report.sequence == (try store.sequence))
        let noted = try metadata(store, report.sequence)
        #expect(noted?.author == "ada" && noted?.cause == "undo:\(report.undone.lowerBound)")
        let redone = try store.redo(.undo(try #require(report.sequence)))
        #expect(try notes.all() == after)
        #expect(
            try metadata(store, redone.sequence)?.cause == "redo:\(try #require(report.sequence))")
        try store.close()
    }

    @Test func `later changes of other properties stay`() throws {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a", stars: 1))
        try notes.put(Note(id: id, text: "b", stars: 1))
        let sequence = try store.sequence
        try notes.put(Note(id: id, text: "b", stars: 2))
        try store.undo(.commit(sequence))
        #expect(try notes.get(id) == Note(id: id, text: "a", stars: 2))
        try store.close()
    }

    @Test func `later changes of the same properties are refused, skipped or overwritten`() throws {
        for policy in [UndoPolicy.refuse, .skip, .overwrite] {
            let (store, notes) = try open()
            let id = try notes.put(Note(text: "a", stars: 1))
            try notes.put(Note(id: id, text: "b", stars: 2))
            let sequence = try store.sequence
            try notes.put(Note(id: id, text: "c", stars: 2))
            let later = try store.sequence
            let conflict = UndoConflictPicture(
                reason: .changed, entity: "Note", id: id, properties: ["text"], commits: [later])
            switch policy {
            case .refuse:
                let error = try #require(
                    expectError(.conflict) { try store.undo(.commit(sequence), conflicts: policy) })
                let conflicts = try #require(error.cause as? UndoConflicts).conflicts
                #expect(conflicts.map(UndoConflictPicture.init) == [conflict])
                #expect(error.message.contains("Note \(id) (text)"))
                #expect(try notes.get(id) == Note(id: id, text: "c", stars: 2))
                #expect(try store.sequence == later)
            case .skip:
                let report = try store.undo(.commit(sequence), conflicts: policy)
                #expect(report.conflicts.map(UndoConflictPicture.init) == [conflict])
                #expect(try notes.get(id) == Note(id: id, text: "c", stars: 1))
            case .overwrite:
                let report = try store.undo(.commit(sequence), conflicts: policy)
                #expect(report.conflicts.map(UndoConflictPicture.init) == [conflict])
                #expect(try notes.get(id) == Note(id: id, text: "a", stars: 1))
            }
            try store.close()
        }
    }

    @Test func `an author undoes and redoes step by step`() throws {
        let (store, notes) = try open()
        func write(_ author: String, _ id: Id, _ text: String) throws {
            try store.write(metadata: CommitMetadata(author: author)) {
                _ = try notes.put(Note(id: id, text: text))
            }
        }
        try write("ada", 0, "1")
        try write("bob", 0, "his")
        for text in ["2", "3"] { try write("ada", 1, text) }
        func undo() throws -> String? {
            try store.undo(.lastOf(author: "ada"), metadata: CommitMetadata(author: "ada"))
            return try notes.get(1)?.text
        }
        func redo() throws -> String? {
            try store.redo(.lastOf(author: "ada"), metadata: CommitMetadata(author: "ada"))
            return try notes.get(1)?.text
        }
        expectError(.notFound) { try store.redo(.lastOf(author: "ada")) }
        for _ in 0..<3 {
            #expect(try undo() == "2")
            #expect(try undo() == "1")
            #expect(try undo() == nil)
            expectError(.notFound) { _ = try undo() }
            #expect(try redo() == "1")
            #expect(try redo() == "2")
            #expect(try undo() == "1")
            #expect(try redo() == "2")
            #expect(try redo() == "3")
            expectError(.notFound) { _ = try redo() }
        }
        #expect(try notes.get(2)?.text == "his")
        try store.undo(.lastOf(author: "bob"))
        #expect(try notes.get(2) == nil)
        expectError(.notFound) { try store.undo(.lastOf(author: "nobody")) }
        try store.close()
    }

    @Test func `a new change of an author ends what the author can redo`() throws {
        let (store, notes) = try open()
        let ada = CommitMetadata(author: "ada")
        func write(_ text: String, _ author: String = "ada") throws {
            try store.write(metadata: CommitMetadata(author: author)) {
                _ = try notes.put(Note(text: text))
            }
        }
        func steps() throws -> [Bool] {
            [try store.canUndo(lastOf: "ada"), try store.canRedo(lastOf: "ada")]
        }
        func undo() throws { try store.undo(.lastOf(author: "ada"), metadata: ada) }
        func redo() throws { try store.redo(.lastOf(author: "ada"), metadata: ada) }
        #expect(try steps() == [false, false])
        try write("a")
        try write("b")
        #expect(try steps() == [true, false])
        try undo()
        #expect(try steps() == [true, true])
        // A change of another author ends nothing.
        try write("his", "bob")
        #expect(try steps() == [true, true])
        try redo()
        #expect(try steps() == [true, false])
        try undo()
        try write("c")
        #expect(try steps() == [true, false])
        expectError(.notFound) { try redo() }
        try undo()
        #expect(try steps() == [true, true])
        try redo()
        #expect(try steps() == [true, false])
        for _ in 0..<2 { try undo() }
        #expect(try steps() == [false, true])
        #expect(try notes.all().map(\.text) == ["his"])
        for _ in 0..<2 { try redo() }
        #expect(try steps() == [true, false])
        #expect(try notes.all().map(\.text).sorted() == ["a", "c", "his"])
        try store.close()
    }

    @Test func `the async calls say whether there is a step`() async throws {
        let (store, notes) = try open()
        #expect(try await !store.canUndo(lastOf: "ada"))
        try await store.write(metadata: CommitMetadata(author: "ada")) {
            _ = try notes.put(Note(text: "a"))
        }
        #expect(try await store.canUndo(lastOf: "ada"))
        #expect(try await !store.canRedo(lastOf: "ada"))
        try await store.close()
    }

    @Test func `a metadata cause that resembles an undo is not an undo`() throws {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a"))
        try notes.put(Note(id: id, text: "b"))
        let sequence = try store.sequence
        try notes.put(Note(id: id, text: "c"))
        let later = try store.sequence
        let forged = CommitMetadata(
            author: "ada", cause: "undo:\(later)", others: ["undone": "\(later)"])
        try store.write(metadata: forged) { try notes.put(Note(text: "d")) }
        let error = expectError(.conflict) { try store.undo(.commit(sequence)) }
        #expect((error?.cause as? UndoConflicts)?.conflicts.map(\.commits) == [[later]])
        expectError(.invalidArgument) { try store.redo(.undo(try store.sequence)) }
        expectError(.notFound) { try store.redo(.lastOf(author: "ada")) }
        let report = try store.undo(.lastOf(author: "ada"))
        #expect(report.undone == later + 1...later + 1)
        #expect(try notes.all().map(\.text) == ["c"])
        try store.close()
    }

    @Test func `undos inside transactions of an author are skipped too`() throws {
        let (store, notes) = try open()
        var sequences: [UInt64] = []
        for text in ["a", "b", "c"] {
            try store.write(metadata: CommitMetadata(author: "ada")) {
                _ = try notes.put(Note(text: text))
            }
            sequences.append(try store.sequence)
        }
        try store.write {
            for sequence in sequences.suffix(2) { try store.undo(.commit(sequence)) }
        }
        let report = try store.undo(.lastOf(author: "ada"))
        #expect(report.undone.lowerBound == sequences[0])
        #expect(try notes.isEmpty())
        try store.close()
    }

    @Test func `a range of commits is undone as a whole`() throws {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a"))
        let before = try notes.all()
        let first = try store.sequence + 1
        try notes.put(Note(id: id, text: "b"))
        let other = try notes.put(Note(text: "passing"))
        try notes.put(Note(id: id, text: "c"))
        try notes.remove(other)
        try notes.put(Note(text: "new"))
        let after = try notes.all()
        let report = try store.undo(.range(first...(try store.sequence)))
        #expect(try notes.all() == before)
        #expect(report.changedCount == 1 && report.removedCount == 1 && report.restoredCount == 0)
        try store.redo(.undo(try #require(report.sequence)))
        #expect(try notes.all() == after)
        try store.close()
    }

    @Test func `an impossible undo is refused`() throws {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a"))
        for range in [0...1, 1...99, 0...UInt64.max] as [ClosedRange<UInt64>] {
            expectError(.invalidArgument) { try store.undo(.range(range)) }
        }
        expectError(.invalidArgument) { try store.undo(.commit(.max)) }
        expectError(.invalidArgument) { try store.undo(.range(1...UInt64.max - 1)) }
        expectError(.invalidArgument) { try store.redo(.undo(.max)) }
        expectError(.invalidArgument) { try store.redo(.undo(try store.sequence)) }
        expectError(.invalidArgument) { try store.redo(.undo(99)) }
        expectError(.invalidArgument) { try store.redo(.undo(0)) }
        expectError(.cannotWriteWhileReading) {
            try store.read { _ = try store.undo(.commit(2)) }
        }
        try notes.put(Note(id: id, text: "b"))
        try store.close()
        expectError(.closed) { try store.undo(.commit(2)) }
    }

    @Test func `dropped history cannot be undone, and later commits can`() throws {
        let directory = TemporaryDirectory()
        let store = try Store(path: directory.path, entities: [Note.self])
        let notes = store.box(for: Note.self)
        let id = try notes.put(Note(text: "a"))
        try notes.put(Note(id: id, text: "b"))
        let old = try store.sequence
        _ = try store.engine.compact(.latest, sealsActive: true)
        try notes.put(Note(id: id, text: "c"))
        let error = expectError(.historyTruncated) { try store.undo(.commit(old)) }
        #expect(error?.details["historyFloor"] == String(store.engine.historyFloor))
        try store.undo(.commit(try store.sequence))
        #expect(try notes.get(id)?.text == "b")
        try store.close()
    }

    @Test func `an undo inside a transaction is part of that transaction`() throws {
        let (store, notes) = try open()
        let id = try notes.put(Note(text: "a"))
        try notes.put(Note(id: id, text: "b", stars: 1))
        let sequence = try store.sequence
        try notes.put(Note(id: id, text: "c", stars: 1))
        try store.write {
            expectError(.conflict) { try store.undo(.commit(sequence)) }
            try notes.put(Note(text: "more"))
            let report = try store.undo(.commit(sequence + 1))
            #expect(report.sequence == sequence + 2)
            #expect(try notes.get(id)?.text == "b")
        }
        #expect(try store.sequence == sequence + 2)
        #expect(try notes.all().map(\.text) == ["b", "more"])
        // Changes in the same transaction as that undo conflict only with that transaction.
        let error = expectError(.conflict) { try store.undo(.commit(sequence)) }
        #expect((error?.cause as? UndoConflicts)?.conflicts.map(\.properties) == [["text"]])
        try store.close()
    }

    @Test func `events stay and are counted`() throws {
        let (store, notes) = try open()
        try store.write {
            try notes.put(Note(text: "a"))
            try store.append(Reading(device: "a", celsius: 1))
        }
        let sequence = try store.sequence
        let report = try store.undo(.commit(sequence))
        #expect(report.keptEventCount == 1 && report.removedCount == 1)
        let nothing = try store.undo(.commit(sequence))
        #expect(nothing.sequence == nil)
        #expect(try store.sequence == report.sequence)
        try store.close()
    }

    @Test func `an undo restores objects with their links and targets`() throws {
        let store = try RelationStore()
        let (ada, bob) = (Customer("ada"), Customer("bob"))
        let order = Order("one", customer: ada)
        try store.orders.put(order)
        try store.customers.put(bob)
        order.customer.target = bob
        try store.orders.put(order)
        let moved = try store.store.sequence
        try store.store.undo(.commit(moved))
        #expect(try store.orders.get(order.id)?.customer.target?.name == "ada")
        try store.customers.remove(ada.id)
        #expect(try store.orders.get(order.id)?.customer.target == nil)
        try store.store.undo(.commit(try store.store.sequence))
        #expect(try store.orders.get(order.id)?.customer.target?.name == "ada")
        #expect(try store.customers.get(ada.id)?.orders.map(\.summary) == ["one"])
        try store.store.close()
    }

    @Test func `the async undo calls give the same results`() async throws {
        let (store, notes) = try open()
        let id = try await notes.put(Note(text: "a"))
        try await CommitMetadata.$current.withValue(CommitMetadata(author: "ada")) {
            try await notes.put(Note(id: id, text: "b"))
            let report = try await store.undo(.lastOf(author: "ada"))
            #expect(try await notes.get(id)?.text == "a")
            #expect(report.changedCount == 1)
            try await store.redo(.lastOf(author: "ada"))
            #expect(try await notes.get(id)?.text == "b")
        }
        let sequence = try store.sequence
        try await notes.put(Note(id: id, text: "c"))
        let error = await #expect(throws: DaybookError.self) {
            try await store.undo(.commit(sequence))
        }
        #expect((error?.cause as? UndoConflicts)?.conflicts.count == 1)
        try await store.close()
    }
}

/// A conflict as a comparable value.
private struct UndoConflictPicture: Equatable {
    var reason: UndoConflict.Reason
    var entity: String
    var id: Id
    var properties: [String]
    var commits: [UInt64]
}

extension UndoConflictPicture {
    init(_ conflict: UndoConflict) {
        self.init(
            reason: conflict.reason, entity: conflict.entity, id: conflict.id,
            properties: conflict.properties, commits: conflict.commits)
    }
}
