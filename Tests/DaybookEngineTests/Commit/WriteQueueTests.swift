import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// Writes that no caller waits for.
@Suite(.timeLimit(.minutes(10))) struct WriteQueueTests {
    private func enqueue(_ text: String, in notes: NoteStore, id: UInt64 = 0) throws {
        let row = try notes.row(text)
        try notes.engine.enqueue(timeoutSeconds: 0) { transaction throws(DaybookError) in
            _ = try transaction.changes.put(
                notes.entity, id, layout: notes.layout, row: row.span, PutOptions())
        }
    }

    @Test func `writes run in their order, and writes that wait together share a commit`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let before = try notes.engine.visibleSequence
        try notes.engine.write { _ in
            for number in 1...100 { try enqueue("note \(number)", in: notes) }
            // The queue waits for this transaction, so this thread must not wait for the queue.
            #expect(!notes.engine.waitForQueue())
        }
        #expect(notes.engine.waitForQueue())
        let expected = Dictionary(
            uniqueKeysWithValues: (1...100).map { (UInt64($0), "note \($0)") })
        #expect(try notes.all() == expected)
        // The thread of the queue takes the first writes before the transaction ends.
        #expect(try notes.engine.visibleSequence - before <= 2)
        try notes.closeProven()
    }

    @Test func `a write that fails rolls back its own changes only`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        let row = try notes.row("half")
        try notes.engine.write { _ in
            try enqueue("first", in: notes)
            try notes.engine.enqueue(timeoutSeconds: 0) { transaction throws(DaybookError) in
                _ = try transaction.changes.put(
                    notes.entity, 0, layout: notes.layout, row: row.span, PutOptions())
                _ = try transaction.changes.put(
                    notes.entity, 99, layout: notes.layout, row: row.span, PutOptions())
            }
            try enqueue("last", in: notes)
        }
        #expect(notes.engine.waitForQueue())
        #expect(try notes.all().values.sorted() == ["first", "last"])
        try notes.closeProven()
    }

    @Test func `a full queue refuses a write after the timeout and loses none`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        var count = 0
        try notes.engine.write { _ in
            let error = expectError(.interrupted) {
                while count <= 2 * WriteQueue.waitingCountMax {
                    try enqueue("x", in: notes)
                    count += 1
                }
            }
            #expect(error?.message.contains("4096 writes wait") == true)
        }
        #expect(count >= WriteQueue.waitingCountMax && count <= 2 * WriteQueue.waitingCountMax)
        #expect(notes.engine.waitForQueue())
        #expect(try notes.count() == count)
        try enqueue("after", in: notes)
        #expect(notes.engine.waitForQueue())
        #expect(try notes.count() == count + 1)
        try notes.closeProven()
    }

    @Test func `closing waits for the queue, and a closed store refuses writes`() throws {
        let fileSystem = MemoryFileSystem()
        var notes = try NoteStore(fileSystem)
        for number in 0..<500 { try enqueue("note \(number)", in: notes) }
        try notes.engine.close()
        expectError(.closed) { try enqueue("late", in: notes) }
        notes = try NoteStore(fileSystem)
        #expect(try notes.count() == 500)
        try notes.closeProven()
    }
}
