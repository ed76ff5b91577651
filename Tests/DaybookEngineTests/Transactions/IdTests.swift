import DaybookBytes
import DaybookEngine
import DaybookMaintenance
import DaybookTestSupport
import Testing

@Suite struct IdTests {
    @Test func `ids increase from one, and id zero requests the next one`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        #expect(try notes.put("a") == 1)
        #expect(try notes.put("b") == 2)
        #expect(try notes.put("b again", id: 2) == 2)
        #expect(try notes.put("c") == 3)
        #expect(try notes.text(0) == nil)
        try notes.closeProven()
    }

    @Test func `an id is never given to another object`() throws {
        let fileSystem = MemoryFileSystem()
        var notes = try NoteStore(fileSystem)
        for _ in 0..<3 { try notes.put("x") }
        #expect(try notes.remove(3))
        #expect(try notes.put("after the removal") == 4)
        #expect(try notes.remove(4))
        try notes.closeProven()
        notes = try NoteStore(fileSystem)
        #expect(try notes.put("after reopening") == 5)
        for id in [UInt64(1), 2, 5] { #expect(try notes.remove(id)) }
        _ = try notes.engine.compact(.latest)
        #expect(try notes.put("after the tombstones went") == 6)
        #expect(try notes.remove(6))
        _ = try notes.engine.compact(.latest)
        try notes.closeProven()
        notes = try NoteStore(fileSystem)
        #expect(try notes.put("after all of it") == 7)
        try notes.closeProven()
    }

    @Test func `an object that is put and removed in one transaction uses up its id`() throws {
        // The caller has received the id and may still use it, so no other object may get it.
        let fileSystem = MemoryFileSystem()
        var notes = try NoteStore(fileSystem)
        try notes.engine.write { transaction in
            let id = try notes.put("short-lived", in: transaction)
            #expect(id == 1)
            #expect(try transaction.changes.remove(notes.entity, id))
        }
        #expect(try notes.put("next") == 2)
        #expect(try notes.count() == 1)
        try notes.engine.write { transaction in
            let id = try notes.put("short-lived too", in: transaction)
            #expect(try transaction.changes.remove(notes.entity, id))
        }
        try notes.closeProven()
        notes = try NoteStore(fileSystem)
        #expect(try notes.put("next") == 4)
        try notes.closeProven()
    }

    @Test func `ids of a transaction that was rolled back are not given to others`() throws {
        // A struct that was put keeps its id when the block throws. Putting it again later must not
        // overwrite another object that got the same id meanwhile.
        let notes = try NoteStore(MemoryFileSystem())
        var stale: UInt64 = 0
        #expect(throws: Refusal.self) {
            try notes.engine.write { transaction in
                stale = try notes.put("rolled back", in: transaction)
                throw Refusal()
            }
        }
        #expect(stale == 1)
        #expect(try notes.text(stale) == nil)
        let other = try notes.put("stranger")
        #expect(other != stale)
        #expect(try notes.put("again", id: stale) == stale)
        #expect(try notes.all() == [stale: "again", other: "stranger"])
        try notes.closeProven()
    }

    @Test func `an id that was never assigned is refused`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        try notes.put("one")
        let error = expectError(.idUnknown) { try notes.put("x", id: 7) }
        #expect(error?.details["id"] == "7")
        #expect(error?.details["nextId"] == "2")
        expectError(.idInvalid) { try notes.put("x", id: .max) }
        #expect(try notes.count() == 1)
        #expect(try notes.put("two") == 2)
        try notes.closeProven()
    }

    @Test func `insert and update report the problem and change nothing`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let id = try notes.put("one", mode: .insert)
        let hash = try notes.engine.stateHash()
        #expect(
            expectError(.idExists) { try notes.put("x", id: id, mode: .insert) }?.details["id"]
                == "1")
        expectError(.notFound) { try notes.put("x", id: 0, mode: .update) }
        expectError(.notFound) { try notes.put("x", id: 99, mode: .update) }
        try notes.remove(id)
        expectError(.notFound) { try notes.put("x", id: id, mode: .update) }
        #expect(try notes.engine.stateHash() != hash)
        #expect(try notes.put("back", id: id, mode: .insert) == id)
        #expect(try notes.all() == [1: "back"])
        try notes.closeProven()
    }

    @Test func `a chosen id is used unchanged if the entity allows it`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        let row = try notes.row("chosen")
        func choose(_ id: UInt64, _ mode: PutMode = .put) throws -> UInt64 {
            try notes.engine.write {
                try $0.changes.put(
                    notes.entity, id, layout: notes.layout, row: row.span,
                    PutOptions(mode: mode, isAssignable: true)
                ).id
            }
        }
        #expect(try choose(1000) == 1000)
        #expect(try choose(0) == 1001)
        #expect(try choose(5, .insert) == 5)
        expectError(.idExists) { _ = try choose(5, .insert) }
        expectError(.idInvalid) { _ = try choose(.max) }
        #expect(try choose(.max - 1) == .max - 1)
        let full = expectError(.idInvalid) { _ = try choose(0) }
        #expect(full != nil)
        #expect(try notes.all().keys.sorted() == [5, 1000, 1001, .max - 1])
        try notes.closeProven()
        let again = try NoteStore(fileSystem)
        #expect(try again.text(.max - 1) == "chosen")
        expectError(.idInvalid) { try again.put("no id is left") }
        try again.closeProven()
    }

    @Test func `a chosen id far ahead and the next ids belong to one transaction`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let row = try notes.row("chosen")
        try notes.engine.write { transaction throws in
            func put(_ id: UInt64) throws -> UInt64 {
                try transaction.changes.put(
                    notes.entity, id, layout: notes.layout, row: row.span,
                    PutOptions(isAssignable: true)
                ).id
            }
            #expect(try put(0) == 1)
            #expect(try put(10) == 10)
            #expect(try put(0) == 11)
            #expect(try put(2) == 2)
            #expect(try put(3) == 3)
            #expect(try transaction.changes.remove(notes.entity, 10))
            #expect(try transaction.changes.ids(notes.entity) == [1, 2, 3, 11])
            #expect(try put(10) == 10)
        }
        #expect(try notes.all().keys.sorted() == [1, 2, 3, 10, 11])
        try notes.closeProven()
    }
}
