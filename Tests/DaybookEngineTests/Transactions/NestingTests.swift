import DaybookBytes
import DaybookEngine
import DaybookTestSupport
import Testing

@Suite struct NestingTests {
    @Test func `a write inside a write joins its transaction`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let before = try notes.engine.visibleSequence
        try notes.engine.write { _ in
            try notes.put("outer")
            try notes.engine.write { _ in
                try notes.put("inner")
                #expect(try notes.count() == 2)
            }
        }
        #expect(try notes.engine.visibleSequence == before + 1)
        #expect(try notes.count() == 2)
        try notes.closeProven()
    }

    @Test func `reads may be nested in reads and in writes`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        try notes.put("one")
        let counted = try notes.engine.readTransaction {
            try notes.engine.readTransaction { try notes.count() }
        }
        #expect(counted == 1)
        try notes.engine.write { _ in
            try notes.put("two")
            #expect(try notes.engine.readTransaction { try notes.count() } == 2)
        }
        try notes.closeProven()
    }

    @Test func `a write inside a read is refused at once, and the read continues`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        try notes.put("one")
        try notes.engine.readTransaction { () throws in
            expectError(.cannotWriteWhileReading) { try notes.put("two") }
            expectError(.cannotWriteWhileReading) { try notes.engine.write { _ in } }
            #expect(try notes.count() == 1)
        }
        try notes.put("two")
        #expect(try notes.count() == 2)
        try notes.closeProven()
    }

    @Test
    func `a failed inner block aborts the whole transaction, even if the error is caught`()
        throws
    {
        let notes = try NoteStore(MemoryFileSystem())
        let aborted = expectError(.transactionAborted) {
            try notes.engine.write { _ in
                try notes.put("before")
                #expect(throws: Refusal()) {
                    try notes.engine.write { _ in
                        try notes.put("inside")
                        throw Refusal()
                    }
                }
                expectError(.transactionAborted) { try notes.put("after") }
                expectError(.transactionAborted) { _ = try notes.count() }
                expectError(.transactionAborted) { try notes.engine.write { _ in } }
            }
        }
        #expect(aborted?.cause as? Refusal == Refusal())
        #expect(try notes.count() == 0)
        try notes.put("the next is free again")
        #expect(try notes.count() == 1)
        try notes.closeProven()
    }

    @Test func `an error of an inner block is rethrown unchanged`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        #expect(throws: Refusal(number: 3)) {
            try notes.engine.write { _ in
                try notes.engine.write { _ in
                    try notes.engine.write { _ in throw Refusal(number: 3) }
                }
            }
        }
        #expect(try notes.count() == 0)
        try notes.closeProven()
    }

    @Test func `a failed operation rolls back only itself`() throws {
        // An operation is atomic, so the block may catch its error and continue; only a block that
        // throws aborts the enclosing blocks.
        let notes = try NoteStore(MemoryFileSystem())
        try notes.engine.write { _ in
            try notes.put("first")
            expectError(.idExists) {
                try notes.engine.operate { transaction in
                    try notes.put("second", in: transaction)
                    try notes.put("clash", id: 1, mode: .insert, in: transaction)
                }
            }
            #expect(try notes.all() == [1: "first"])
            try notes.engine.operate { _ = try notes.put("third", in: $0) }
        }
        #expect(try notes.all().values.sorted() == ["first", "third"])
        try notes.closeProven()
    }

    @Test func `transactions of two stores nest independently`() throws {
        let fileSystem = MemoryFileSystem()
        let one = try NoteStore(fileSystem, path: "/one")
        let two = try NoteStore(fileSystem, path: "/two")
        #expect(throws: Refusal.self) {
            try one.engine.write { _ in
                try one.put("lost")
                try two.engine.write { _ in try two.put("kept") }
                #expect(try two.engine.readTransaction { try two.count() } == 1)
                throw Refusal()
            }
        }
        #expect(try one.count() == 0)
        #expect(try two.all() == [1: "kept"])
        try two.engine.readTransaction { _ = try one.put("a read of another store is no obstacle") }
        #expect(try one.count() == 1)
        try one.closeProven()
        try two.closeProven()
    }

    @Test func `a store cannot be closed from inside its own write transaction`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        try notes.engine.write { _ in
            try notes.put("one")
            expectError(.invalidArgument) { try notes.engine.close() }
            try notes.put("two")
        }
        #expect(try notes.count() == 2)
        try notes.closeProven()
    }

    @Test func `refreshing a writer's own store inside a transaction does nothing`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        try notes.engine.write { _ in
            try notes.put("one")
            #expect(try !notes.engine.refresh())
        }
        #expect(try notes.count() == 1)
        try notes.closeProven()
    }

    @Test func `a read transaction survives the close of its store`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        try notes.put("one")
        try notes.engine.readTransaction {
            try notes.engine.close()
            #expect(try notes.text(1) == "one")
        }
        expectError(.closed) { _ = try notes.text(1) }
    }
}
