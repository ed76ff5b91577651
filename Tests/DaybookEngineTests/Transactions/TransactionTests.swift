import DaybookBytes
import DaybookEngine
import DaybookMaintenance
import DaybookTestSupport
import Synchronization
import Testing

@Suite struct TransactionTests {
    @Test func `a transaction is one commit, whatever it contains`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let before = try notes.engine.visibleSequence
        try notes.engine.write { transaction in
            for number in 0..<500 { try notes.put("note \(number)", in: transaction) }
            #expect(try transaction.changes.remove(notes.entity, 17))
        }
        #expect(try notes.engine.visibleSequence == before + 1)
        #expect(try notes.count() == 499)
        #expect(try notes.text(17) == nil)
        #expect(try notes.text(18) == "note 17")
        try notes.closeProven()
    }

    @Test func `an error of the block is rethrown unchanged, and nothing is stored`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let id = try notes.put("kept")
        let hash = try notes.engine.stateHash()
        let sequence = try notes.engine.visibleSequence
        #expect(throws: Refusal(number: 4)) {
            try notes.engine.write { transaction in
                try notes.put("changed", id: id, in: transaction)
                try notes.put("new", in: transaction)
                throw Refusal(number: 4)
            }
        }
        #expect(try notes.engine.stateHash() == hash)
        #expect(try notes.engine.visibleSequence == sequence)
        #expect(try notes.text(id) == "kept")
        try notes.closeProven()
    }

    @Test func `a transaction without changes makes no commit`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let sequence = try notes.engine.visibleSequence
        let answer = try notes.engine.write { _ in 42 }
        #expect(answer == 42)
        #expect(try notes.engine.visibleSequence == sequence)
        try notes.closeProven()
    }

    @Test func `a transaction sees its own changes, and other readers do not`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let first = try notes.put("one")
        try notes.engine.write { transaction in
            let second = try notes.put("two", in: transaction)
            try notes.put("one, again", id: first, in: transaction)
            #expect(try notes.text(second) == "two")
            #expect(try notes.text(first) == "one, again")
            #expect(try notes.count() == 2)
            #expect(try notes.all() == [first: "one, again", second: "two"])
            #expect(try notes.engine.readTransaction { try notes.count() } == 2)
            try onThreads(1) { _ throws in
                #expect(try notes.all() == [first: "one"])
                #expect(try notes.count() == 1)
            }
            #expect(try transaction.changes.remove(notes.entity, first))
            #expect(try notes.text(first) == nil)
            #expect(try !notes.engine.contains(notes.entity, first))
        }
        #expect(try notes.all() == [2: "two"])
        try notes.closeProven()
    }

    /// A count that runs within an operation is discarded with its rollback.
    @Test func `a count inside an operation that is rolled back is discarded`() throws {
        struct GivenUp: Error {}
        let notes = try NoteStore(MemoryFileSystem())
        try notes.put("one")
        try notes.engine.write { outer in
            #expect(throws: GivenUp.self) {
                try notes.engine.operate { transaction in
                    try notes.put("two", in: transaction)
                    #expect(try transaction.changes.count(notes.entity) == 2)
                    throw GivenUp()
                }
            }
            #expect(try outer.changes.count(notes.entity) == 1)
            try notes.put("three", in: outer)
            #expect(try outer.changes.count(notes.entity) == 2)
        }
        #expect(try notes.count() == 2)
        try notes.closeProven()
    }

    @Test func `a read transaction keeps one version while writers continue`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let id = try notes.put("then")
        try notes.engine.readTransaction {
            try onThreads(1) { _ in
                try notes.put("now", id: id)
                try notes.put("later")
            }
            #expect(try notes.text(id) == "then")
            #expect(try notes.count() == 1)
            #expect(try notes.all() == [id: "then"])
        }
        #expect(try notes.text(id) == "now")
        #expect(try notes.count() == 2)
        try notes.closeProven()
    }

    @Test func `the last of several changes of one object is stored`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let id = try notes.put("old")
        try notes.engine.write { transaction in
            try notes.put("a", id: id, in: transaction)
            #expect(try transaction.changes.remove(notes.entity, id))
            #expect(try !transaction.changes.remove(notes.entity, id))
            try notes.put("b", id: id, in: transaction)
            try notes.put("c", id: id, mode: .update, in: transaction)
        }
        #expect(try notes.text(id) == "c")
        #expect(try notes.count() == 1)
        try notes.closeProven()
    }

    @Test func `a transaction that is used after its block throws closed`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        var leaked: WriteTransaction?
        try notes.engine.write { leaked = $0 }
        let transaction = try #require(leaked)
        expectError(.closed) { _ = try notes.put("late", in: transaction) }
        expectError(.closed) { _ = try transaction.changes.remove(notes.entity, 1) }
        try notes.closeProven()
    }

    @Test func `twenty writers at once all commit, and ids are dense`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        try onThreads(20) { number in
            for round in 0..<5 {
                try notes.engine.write { transaction in
                    try notes.put("\(number) \(round) a", in: transaction)
                    try notes.put("\(number) \(round) b", in: transaction)
                }
            }
        }
        let all = try notes.all()
        #expect(all.keys.sorted() == Array(1...200))
        #expect(Set(all.values).count == 200)
        for number in stride(from: UInt64(1), to: 200, by: 2) {
            // Both notes of a transaction have adjacent ids.
            #expect(all[number]?.dropLast(2) == all[number + 1]?.dropLast(2))
        }
        try notes.closeProven()
    }

    @Test func `subscribers are notified of each commit once and in order`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let before = try notes.engine.visibleSequence
        let recorder = CommitRecorder(after: before)
        let number = recorder.listen(to: notes.engine)
        try onThreads(8) { _ in for _ in 0..<10 { try notes.put("x") } }
        notes.engine.commitSignal.remove(number)
        try notes.put("unheard")
        #expect(recorder.sequences == Array((before + 1)...(before + 80)))
        try notes.closeProven()
    }

    @Test func `a transaction of many frames is complete after reopening`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        let text = String(repeating: "long ", count: 400)
        try notes.engine.write { transaction in
            for number in 0..<300 { try notes.put(text + "\(number)", in: transaction) }
        }
        try notes.closeProven()
        let again = try NoteStore(fileSystem)
        #expect(try again.count() == 300)
        #expect(try again.text(300) == text + "299")
        try again.closeProven()
    }
}
