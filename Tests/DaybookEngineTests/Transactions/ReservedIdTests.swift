import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// Ids that are reserved for writes of the queue.
@Suite struct ReservedIdTests {
    @Test func `a reserved id is given to no other object`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let reserved = notes.engine.reserveIds(notes.entity, count: 2)
        #expect(reserved == 1..<3)
        #expect(try notes.put("another") == 3)
        #expect(try notes.put("late", id: 2, mode: .insert) == 2)
        #expect(try notes.put("next") == 4)
        #expect(try notes.all() == [2: "late", 3: "another", 4: "next"])
        try notes.closeProven()
    }

    @Test func `ids can be reserved while a transaction assigns ids`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        var assigned: [UInt64] = []
        var reserved: [UInt64] = []
        try notes.engine.write { transaction in
            for round in 0..<100 {
                assigned.append(try notes.put("assigned \(round)", in: transaction))
                if round % 7 == 0 {
                    reserved += notes.engine.reserveIds(notes.entity, count: 1 + round % 3)
                }
            }
            // The transaction may use the ids that were reserved meanwhile.
            try notes.put("reserved", id: reserved[3], mode: .insert, in: transaction)
            let twice = expectError(.idExists) {
                try notes.put("twice", id: reserved[3], mode: .insert, in: transaction)
            }
            #expect(twice?.details["id"] == String(reserved[3]))
            let missing = expectError(.notFound) {
                try notes.put("missing", id: reserved[4], mode: .update, in: transaction)
            }
            #expect(missing?.details["id"] == String(reserved[4]))
        }
        #expect(Set(assigned + reserved).count == assigned.count + reserved.count)
        #expect(assigned == assigned.sorted() && reserved == reserved.sorted())
        #expect(try notes.count() == 101)
        #expect(try notes.text(reserved[3]) == "reserved")
        let next = try notes.put("next")
        #expect(!(assigned + reserved).contains(next))
        try notes.closeProven()
    }

    @Test func `an id that was taken and not assigned is unknown`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        try notes.engine.write { transaction in
            // The third put takes two ids and assigns one.
            for _ in 0..<3 { try notes.put("x", in: transaction) }
            let error = expectError(.idUnknown) {
                try notes.put("y", id: 4, in: transaction)
            }
            #expect(error?.details["nextId"] == "4")
        }
        #expect(try notes.put("next") == 4)
        try notes.closeProven()
    }

    @Test func `threads that put and reserve never share an id`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let engine = notes.engine
        let lock = NSLock()
        nonisolated(unsafe) var ids: [UInt64] = []
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var own: [UInt64] = []
            for round in 0..<50 {
                if thread % 2 == 0 {
                    own += engine.reserveIds(notes.entity, count: 1 + round % 5)
                } else if let put = try? engine.write({ transaction in
                    try (0..<round % 9).map { _ in try notes.put("x", in: transaction) }
                }) {
                    own += put
                }
            }
            lock.withLock { ids += own }
        }
        #expect(Set(ids).count == ids.count)
        // Two threads reserve 150 ids each, and two put 190 notes each.
        #expect(ids.count == 2 * 150 + 2 * 190)
        #expect(try notes.count() == 2 * 190)
        try notes.closeProven()
    }

    @Test func `the allocator ends with the last id`() {
        let ids = IdAllocator()
        #expect(ids.take(1, 2, from: 10) == 10..<12)
        ids.giveBack(1, 11..<12)
        #expect(ids.next(1) == 11)
        ids.giveBack(1, 3..<5)
        ids.skip(1, to: 4)
        #expect(ids.next(1) == 11)
        ids.skip(1, to: WriteTransaction.idMax - 1)
        #expect(ids.take(1, 9, from: 1) == WriteTransaction.idMax - 1..<UInt64.max)
        #expect(ids.take(1, 9, from: 1).isEmpty)
        #expect(ids.take(1, .max, from: .max).isEmpty)
        #expect(ids.next(2) == 1)
    }
}
