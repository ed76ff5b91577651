import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
import DaybookLog
import DaybookTestSupport
import Dispatch
import Testing

/// The range of readable history, at both ends.
@Suite struct HistoryTests {
    private func sequences(
        _ notes: NoteStore, _ range: HistoryRange = HistoryRange()
    ) throws -> [UInt64] {
        var found: [UInt64] = []
        try notes.engine.forEachTransaction(in: range) { transaction in
            found.append(transaction.sequence)
            return true
        }
        return found
    }

    @Test func `history ends at the last durable commit`() throws {
        let gate = SyncGate()
        let fileSystem = GatedFileSystem(MemoryFileSystem(), gate)
        let notes = try NoteStore(fileSystem)
        try notes.put("one")
        let durable = notes.engine.log.lastSequence
        gate.shut()
        let group = DispatchGroup()
        DispatchQueue(label: "writer").async(group: group) { _ = try? notes.put("two") }
        gate.awaitWaiter()
        #expect(notes.engine.log.lastSequence == durable + 1)
        #expect(try sequences(notes).last == durable)
        let all = HistoryRange(until: .sequence(.max))
        #expect(try sequences(notes, all).last == durable)
        let always = HistoryPoint.time(first: 0, last: .max)
        #expect(try sequences(notes, HistoryRange(until: always)).last == durable)
        for point in [HistoryPoint.sequence(durable + 1), always] {
            var ids: [UInt64] = []
            try notes.engine.forEachObject(until: point) { object in
                ids.append(object.id)
                return true
            }
            #expect(ids == [1])
        }
        #expect(try notes.engine.statistics().last?.sequence == durable)
        gate.open()
        group.wait()
        #expect(try sequences(notes).last == durable + 1)
        try notes.closeProven()
    }

    @Test func `a copy contains no commit that its source could still lose`() throws {
        let gate = SyncGate()
        let memory = MemoryFileSystem()
        let notes = try NoteStore(GatedFileSystem(memory, gate))
        try notes.put("one")
        let durable = notes.engine.log.lastSequence
        gate.shut()
        let group = DispatchGroup()
        let queue = DispatchQueue(label: "writers", attributes: .concurrent)
        queue.async(group: group) { _ = try? notes.put("two") }
        gate.awaitWaiter()
        #expect(try notes.engine.replayedState(OperationControl()).sequence == durable)
        gate.open()
        group.wait()
        #expect(try notes.engine.copy(into: "/copy").sequence == durable + 1)
        try notes.closeProven()
    }

    @Test func `events below the history floor are refused, and later ones are not`()
        throws
    {
        let notes = try NoteStore(MemoryFileSystem())
        for _ in 0..<3 { try notes.put("first") }
        for id in UInt64(1)...2 { try notes.put("changed", id: id) }
        _ = try notes.engine.compact(.latest)
        let floor = notes.engine.historyFloor
        #expect(floor == 6)
        try notes.put("later", id: 3)
        for point in [HistoryPoint.sequence(floor - 1), .sequence(1), .time(first: 1, last: 1)] {
            let error = expectError(.historyTruncated) {
                _ = try sequences(notes, HistoryRange(from: point))
            }
            #expect(error?.details["historyFloor"] == String(floor))
        }
        let last = notes.engine.log.lastSequence
        #expect(
            try sequences(notes, HistoryRange(from: .sequence(floor))) == Array(floor...last))
        #expect(try sequences(notes).first == 1)
        try notes.closeProven()
    }
}
