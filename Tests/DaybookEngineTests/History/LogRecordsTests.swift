import DaybookBytes
import DaybookEngine
import DaybookLog
import DaybookRecords
import DaybookTestSupport
import Testing

@Suite struct LogRecordsTests {
    /// Returns a store of five transactions; the third one spans several frames.
    private func store() throws -> NoteStore {
        let notes = try NoteStore(MemoryFileSystem()) { $0.framePayloadBytes = 512 }
        try notes.put("one")
        try notes.put("two")
        try notes.engine.write { transaction in
            for _ in 0..<40 {
                try notes.put(String(repeating: "x", count: 100), in: transaction)
            }
        }
        try notes.remove(1)
        try notes.put("three", id: 2)
        return notes
    }

    private func puts(
        _ notes: NoteStore, after: UInt64, until: UInt64 = .max
    ) throws -> [UInt64: [UInt64]] {
        var records = LogRecords(
            LogFrames(
                try notes.engine.log.scan(fromSequence: after + 1), after: after, until: until))
        var found: [UInt64: [UInt64]] = [:]
        while let (record, sequence) = try records.next() {
            if record.record.kind == .put { found[sequence, default: []].append(record.record.id) }
        }
        return found
    }

    private func transactions(
        _ notes: NoteStore, after: UInt64, until: UInt64 = .max
    ) throws -> [(sequence: UInt64, putCount: Int)] {
        var transactions = LogTransactions(
            LogFrames(
                try notes.engine.log.scan(fromSequence: after + 1), after: after, until: until),
            AcceptedRecords { $0.kind == .put })
        var found: [(sequence: UInt64, putCount: Int)] = []
        while let transaction = try transactions.next() {
            found.append((transaction.commit.sequence, transaction.contents.records.count))
        }
        return found
    }

    @Test(arguments: [false, true])
    func `each record has the sequence of its transaction, in small frames and in blocks`(
        isCompacted: Bool
    ) throws {
        let notes = try store()
        let last = notes.engine.position.sequence
        if isCompacted { _ = try notes.engine.compact(.all, sealsActive: true) }
        let all = try puts(notes, after: 0)
        #expect(all[last - 4] == [1])
        #expect(all[last - 3] == [2])
        #expect(all[last - 2] == Array(3...42))
        #expect(all[last - 1] == nil)
        #expect(all[last] == [2])
        #expect(try puts(notes, after: last - 3, until: last - 1) == [last - 2: Array(3...42)])
        #expect(try puts(notes, after: last).isEmpty)
        try notes.closeProven()
    }

    @Test(arguments: [false, true])
    func `a transaction is returned once and completely, in small frames and in blocks`(
        isCompacted: Bool
    ) throws {
        let notes = try store()
        let last = notes.engine.position.sequence
        if isCompacted { _ = try notes.engine.compact(.all, sealsActive: true) }
        let all = try transactions(notes, after: last - 5, until: last)
        #expect(all.map(\.sequence) == Array((last - 4)...last))
        #expect(all.map(\.putCount) == [1, 1, 40, 0, 1])
        let middle = try transactions(notes, after: last - 3, until: last - 2)
        #expect(middle.map(\.sequence) == [last - 2])
        #expect(middle.map(\.putCount) == [40])
        #expect(try transactions(notes, after: last).isEmpty)
        try notes.closeProven()
    }

    @Test func `progress grows with each frame, and a cancelled reader throws`() throws {
        let notes = try store()
        var fractions: [Double] = []
        var frameCount = 0
        var frames = LogFrames(
            try notes.engine.log.scan(from: nil), progress: LogProgress(notes.engine.log))
        let control = OperationControl(progress: { fractions.append($0) })
        while try frames.next(control) != nil { frameCount += 1 }
        #expect(frameCount > 5)
        #expect(fractions.count == frameCount)
        #expect(fractions == fractions.sorted())
        #expect(fractions.last == 1)
        var records = LogRecords(LogFrames(try notes.engine.log.scan(from: nil)))
        let cancelled = OperationControl(isCancelled: { true })
        expectError(.interrupted) { _ = try records.next(cancelled) }
        try notes.closeProven()
    }
}
