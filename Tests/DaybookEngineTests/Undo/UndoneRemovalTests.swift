import DaybookBytes
@testable import DaybookEngine
import DaybookRecords
import DaybookTestSupport
import Testing

/// Undo of changes to objects that were removed since and restored by other undos.
@Suite struct UndoneRemovalTests {
    /// Undoes a commit and returns the sequence of the undo.
    @discardableResult
    private func undo(
        _ sequence: UInt64, _ engine: Engine, conflicts: UndoPolicy = .refuse
    ) throws -> UInt64 {
        try #require(try engine.undo(sequence...sequence, conflicts: conflicts).sequence)
    }

    private func conflicts(
        _ sequence: UInt64, _ engine: Engine
    ) -> [UndoObstacle] {
        let refusal = #expect(throws: DaybookError.self) { try engine.undo(sequence...sequence) }
        return (refusal?.cause as? UndoObstacles)?.conflicts ?? []
    }

    /// Removes an object by redoing an old removal, and restores it by undoing that. Both commits
    /// are older than `change`.
    private func removeAndRestore(
        _ engine: Engine, remove: () throws -> Void, change: () throws -> Void
    ) throws -> (change: UInt64, undo: UInt64) {
        try remove()
        let removal = engine.log.lastSequence
        let restoration = try undo(removal, engine)
        try change()
        let sequence = engine.log.lastSequence
        let undone = try undo(sequence, engine)
        try undo(restoration, engine)
        try undo(removal, engine)
        return (sequence, undone)
    }

    @Test func `a change is redone after undos removed and restored its object`() throws {
        let accounts = try AccountStore(MemoryFileSystem())
        let id = try accounts.put(Account(code: 1, city: "old"))
        let sequences = try removeAndRestore(accounts.engine) {
            try accounts.remove(id)
        } change: {
            try accounts.put(Account(code: 1, city: "new"), id: id)
        }
        #expect(try accounts.account(id)?.city == "old")
        let report = try accounts.engine.undo(sequences.undo...sequences.undo)
        #expect(report.changedCount == 1)
        #expect(try accounts.account(id)?.city == "new")
        try undo(sequences.change, accounts.engine)
        #expect(try accounts.account(id)?.city == "old")
        try accounts.closeProven()
    }

    @Test func `a link is restored after undos removed and restored its target`() throws {
        let store = try GraphStore(MemoryFileSystem())
        let (friends, end) = (store.number(.friends), store.end(.friends, 1))
        try store.engine.write { transaction in
            for text in ["one", "two"] { _ = try store.put(text, in: transaction) }
        }
        let sequences = try removeAndRestore(store.engine) {
            _ = try store.engine.write { try $0.changes.remove(store.entity, 1) }
        } change: {
            _ = try store.engine.write { try $0.changes.link(friends, 1, 2) }
        }
        #expect(try store.engine.scope().links(of: end).isEmpty)
        let report = try store.engine.undo(sequences.undo...sequences.undo)
        #expect(report.linkCount == 1)
        #expect(try store.engine.scope().links(of: end) == [2])
        try store.engine.proveReplay()
        try store.engine.close()
    }

    @Test func `an undone change stays undone, even if the object exists again`() throws {
        let accounts = try AccountStore(MemoryFileSystem())
        let id = try accounts.put(Account(code: 1))
        try accounts.remove(id)
        let removal = accounts.engine.log.lastSequence
        let restoration = try undo(removal, accounts.engine)
        try undo(restoration, accounts.engine)
        try undo(removal, accounts.engine)
        let again = try accounts.engine.undo(restoration...restoration)
        #expect(again.sequence == nil && again.conflicts.isEmpty)
        #expect(try accounts.account(id) == Account(code: 1))
        try accounts.closeProven()
    }

    /// An incomplete undo is not the exact inverse of its commit: objects that it restored are
    /// reported, not skipped.
    @Test func `objects that an incomplete undo restored are conflicts`() throws {
        let accounts = try AccountStore(MemoryFileSystem())
        let engine = accounts.engine
        let other = try accounts.put(Account(code: 1))
        let id = try accounts.put(Account(code: 2, city: "old"))
        let insertion = engine.log.lastSequence
        try accounts.put(Account(code: 2, city: "new"), id: id)
        let change = engine.log.lastSequence
        try engine.write { transaction in
            _ = try transaction.changes.remove(accounts.entity, id)
            try accounts.put(Account(code: 1, city: "this"), id: other, in: transaction)
        }
        let removal = engine.log.lastSequence
        try accounts.put(Account(code: 1, city: "that"), id: other)
        let restoration = try undo(removal, engine, conflicts: .skip)
        #expect(try accounts.account(id)?.city == "new")

        for sequence in [insertion, change] {
            let found = conflicts(sequence, engine)
            #expect(found.map(\.reason) == [.changed])
            #expect(found.map(\.id) == [id])
            #expect(found.first?.sequences.last == restoration)
        }
        try undo(change, engine, conflicts: .overwrite)
        #expect(try accounts.account(id)?.city == "old")
        try undo(insertion, engine, conflicts: .overwrite)
        #expect(try accounts.account(id) == nil)
        try accounts.closeProven()
    }

    @Test func `links of objects that an incomplete undo restored are conflicts`() throws {
        let store = try GraphStore(MemoryFileSystem())
        let (engine, friends) = (store.engine, store.number(.friends))
        try engine.write { transaction in
            for text in ["one", "two", "three"] { _ = try store.put(text, in: transaction) }
            _ = try transaction.changes.link(friends, 1, 2)
        }
        try engine.write { transaction in
            _ = try transaction.changes.unlink(friends, 1, 2)
            _ = try transaction.changes.link(friends, 1, 3)
        }
        let change = engine.log.lastSequence
        try engine.write { transaction in
            _ = try transaction.changes.remove(store.entity, 1)
            _ = try store.put("this", id: 2, in: transaction)
        }
        let removal = engine.log.lastSequence
        _ = try engine.write { try store.put("that", id: 2, in: $0) }
        let restoration = try undo(removal, engine, conflicts: .skip)
        #expect(try engine.scope().links(of: store.end(.friends, 1)) == [3])

        let found = conflicts(change, engine)
        #expect(Set(found.map(\.target)) == [2, 3])
        #expect(found.allSatisfy { $0.reason == .changed && $0.sequences.last == restoration })
        try undo(change, engine, conflicts: .overwrite)
        #expect(try engine.scope().links(of: store.end(.friends, 1)) == [2])
        try engine.proveReplay()
        try engine.close()
    }

    /// An object that a rule removed once is not removed again if no link leads the rule to it.
    @Test func `an object that a rule removed is not removed again without its link`() throws {
        for relation in [GraphStore.Relation.parent, .owned] {
            let store = try GraphStore(MemoryFileSystem())
            let engine = store.engine
            try engine.write { transaction in
                for text in ["one", "two"] { _ = try store.put(text, in: transaction) }
            }
            // Removing 1 removes 2.
            let ends: (UInt64, UInt64) = relation == .parent ? (2, 1) : (1, 2)
            _ = try engine.write { try $0.changes.link(store.number(relation), ends.0, ends.1) }
            let link = engine.log.lastSequence
            _ = try engine.write { try $0.changes.remove(store.entity, 1) }
            let restoration = try undo(engine.log.lastSequence, engine)
            let unlink = try undo(link, engine)
            #expect(try store.rows() == [1: "one", 2: "two"])

            let found = conflicts(restoration, engine)
            #expect(found.map(\.reason) == [.rules])
            #expect(found.map(\.id) == [2])
            #expect(found.map(\.sequences) == [[unlink]])
            try undo(restoration, engine, conflicts: .skip)
            #expect(try store.rows() == [2: "two"])
            try engine.proveReplay()
            try engine.close()
        }
    }
}
