import DaybookBytes
@testable import DaybookEngine
import DaybookTesting
import DaybookTestSupport
import Testing

/// Compactions that keep the history since a sequence.
@Suite struct RetentionTests {
    /// Returns a store with several sealed segments of updates and removals.
    private func worn(
        _ fileSystem: any FileSystem = MemoryFileSystem(),
        _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> NoteStore {
        let notes = try NoteStore(fileSystem) {
            $0.log.segmentSizeBytes = 16 << 10
            $0.blockPayloadBytes = 4 << 10
            change(&$0)
        }
        for number in 1...300 {
            try notes.put("note number \(number) of many", id: 0)
            if number % 3 == 0 { try notes.put("changed \(number)", id: UInt64(number / 2)) }
            if number % 5 == 0 { try notes.remove(UInt64(number - 1)) }
        }
        #expect(notes.engine.log.manifest.sealed.count > 1)
        return notes
    }

    private func states(
        _ notes: NoteStore, _ range: ClosedRange<UInt64>
    ) throws -> [PastState] {
        try stride(from: range.lowerBound, through: range.upperBound, by: 29).map { sequence in
            let view = try notes.engine.pastView(at: sequence, by: .replay)
            return try PastState(view, notes.engine.schemas.schema)
        }
    }

    @Test func `every state from the floor on stays, and older states are refused`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try worn(fileSystem)
        let last = try notes.engine.visibleSequence
        let floor = last / 2
        let before = try states(notes, floor...last)
        let report = try notes.engine.compact(.since(floor))
        #expect(report.historyFloor == floor)
        #expect(notes.engine.historyFloor == floor)
        #expect(report.droppedRecordCount > 50)
        #expect(try #require(report.bytesAfter) < report.bytesBefore)
        #expect(try states(notes, floor...last) == before)
        expectError(.historyTruncated) { _ = try notes.engine.pastView(at: floor - 1) }
        #expect(try notes.engine.verify().findings == [])
        try notes.closeProven()
        let again = try NoteStore(fileSystem)
        #expect(try states(again, floor...last) == before)
        try again.closeProven()
    }

    @Test func `the versions of an object begin with the one that was valid at the floor`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        for text in ["one", "two", "three", "four"] {
            try notes.put(text, id: text == "one" ? 0 : 1)
        }
        // The first commit is the schema's, so "two" was written at sequence 3.
        _ = try notes.engine.compact(.since(3))
        var history = try notes.engine.history(of: notes.entity, id: 1)
        var sequences: [UInt64] = []
        while let version = try history.next() { sequences.append(version.sequence) }
        #expect(sequences == [5, 4, 3])
        #expect(history.end == .compacted)
        try notes.closeProven()
    }

    @Test func `an object removed before the floor is dropped, and its id is not used again`()
        throws
    {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        for text in ["early", "late"] { try notes.put(text) }
        try notes.remove(1)
        let floor = notes.engine.log.lastSequence
        try notes.remove(2)
        let report = try notes.engine.compact(.since(floor))
        // The put and the removal of the first object, and the commit of the put. The other commit
        // is the one at the floor.
        #expect(report.droppedRecordCount == 3)
        let view = try notes.engine.pastView(at: floor)
        #expect(try !view.contains(notes.entity, 1))
        #expect(try view.contains(notes.entity, 2))
        try notes.closeProven()
        let again = try NoteStore(fileSystem)
        #expect(try again.put("next") == 3)
        try again.closeProven()
    }

    /// A replay gave the state of the last commit before it of which something remained.
    @Test func `the commit at the floor stays, whatever remains of its records`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        for text in ["early", "late"] { try notes.put(text) }
        try notes.remove(1)
        let floor = notes.engine.log.lastSequence
        try notes.put("last")
        _ = try notes.engine.compact(.since(floor))
        for method in [PastWay.replay, .rewind] {
            #expect(try notes.engine.pastView(at: floor, by: method).sequence == floor)
        }
        try notes.engine.demandPast()
        #expect(try notes.engine.copy(into: "/copy", until: .sequence(floor)).sequence == floor)
        // The next compaction drops it, with the first version of the other note and its commit.
        try notes.put("changed", id: 2)
        let next = try notes.engine.compact(.since(notes.engine.log.lastSequence))
        #expect(next.droppedRecordCount == 3)
        try notes.engine.demandPast()
        try notes.closeProven()
    }

    @Test func `a floor that is already reached drops nothing and rewrites nothing`() throws {
        let notes = try worn()
        let floor = try notes.engine.visibleSequence / 2
        _ = try notes.engine.compact(.since(floor))
        for sequence in [0, 1, floor - 1, floor] {
            let sequenceBefore = notes.engine.log.lastSequence
            _ = try notes.engine.compact(.all, sealsActive: true)
            let report = try notes.engine.compact(.since(sequence))
            #expect(report.segments.isEmpty)
            #expect(notes.engine.historyFloor == floor)
            #expect(notes.engine.log.lastSequence == sequenceBefore)
        }
        try notes.closeProven()
    }

    @Test func `a plan names the same records as the compaction`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try worn(fileSystem)
        let floor = try notes.engine.visibleSequence / 3
        let plan = try notes.engine.planCompaction(.since(floor))
        #expect(plan.bytesAfter == nil)
        #expect(notes.engine.historyFloor == 0)
        #expect(plan.historyFloor == floor)
        let report = try notes.engine.compact(.since(floor))
        #expect(report.droppedRecordCount == plan.droppedRecordCount)
        #expect(report.segments.map(\.keptRecordCount) == plan.segments.map(\.keptRecordCount))
        #expect(plan.segments.last?.reason == "all history after sequence \(floor) is kept")
        try notes.closeProven()
    }

    // MARK: Consumers

    @Test func `changes that a consumer has not acknowledged are kept`() throws {
        let notes = try worn()
        let consumers = ConsumerStore(notes.engine)
        let store = notes.engine.log.store
        try consumers.write(ChangePosition(store: store, sequence: 90), of: "mailer")
        try consumers.write(ChangePosition(store: store, sequence: 40), of: "auditor")
        try consumers.write(notes.engine.position, of: "up-to-date")
        let plan = try notes.engine.planCompactionForConsumers(.latest)
        #expect(plan.retainingConsumers == ["auditor", "mailer"])
        #expect(plan.historyFloor == 40)
        let some = try notes.engine.compactForConsumers(.since(30))
        #expect(some.retainingConsumers == [])
        #expect(some.historyFloor == 30)
        // The first compaction made a commit, which no consumer has acknowledged.
        let report = try notes.engine.compactForConsumers(.latest)
        #expect(report.retainingConsumers == ["auditor", "mailer", "up-to-date"])
        #expect(notes.engine.historyFloor == 40)
        #expect(try notes.engine.compactForConsumers(.all).retainingConsumers == [])
        // Without regard to consumers, everything that was superseded is dropped.
        _ = try notes.engine.compact(.latest)
        #expect(notes.engine.historyFloor > 90)
        try notes.closeProven()
    }

    /// The floor of a compaction to the latest versions rises with commits that are made meanwhile.
    @Test func `commits during a compaction do not overtake a consumer that had acknowledged all`()
        throws
    {
        let notes = try worn()
        let consumers = ConsumerStore(notes.engine)
        let position = notes.engine.position
        try consumers.write(position, of: "mailer")
        _ = try notes.engine.compactForConsumers(
            .latest,
            OperationControl(isCancelled: {
                // A commit during the compaction.
                (try? notes.put("meanwhile", id: 1)) == nil
            }))
        #expect(notes.engine.historyFloor == position.sequence)
        #expect(notes.engine.log.lastSequence > position.sequence + 1)
        try notes.closeProven()
    }

    @Test func `a consumer with a position in another history retains nothing`() throws {
        let notes = try worn()
        var random = SeededGenerator(seed: 1)
        let foreign = ChangePosition(store: .random(using: &random), sequence: 7)
        try ConsumerStore(notes.engine).write(foreign, of: "foreign")
        #expect(try notes.engine.compactForConsumers(.latest).retainingConsumers == [])
        #expect(notes.engine.historyFloor > 7)
        try notes.closeProven()
    }

    // MARK: Automatic retention

    @Test func `expired history is dropped once it is half of the log`() throws {
        let notes = try worn { $0.retention = HistoryRequests(.last(milliseconds: 0)) }
        let last = try notes.engine.visibleSequence
        try notes.engine.dropExpiredHistory()
        #expect(notes.engine.historyFloor == last)
        // Little has expired since.
        let note = try notes.put("one more")
        try notes.put("and changed", id: note)
        try notes.engine.dropExpiredHistory()
        #expect(notes.engine.historyFloor == last)
        try notes.closeProven()
    }

    /// Each segment caused another read of the whole log.
    @Test func `a retention that has nothing to drop waits until the log is twice as long`() throws
    {
        let disk = CountingDisk(MemoryFileSystem())
        let notes = try NoteStore(disk) {
            $0.log.segmentSizeBytes = 16 << 10
            $0.retention = HistoryRequests(.versions(2))
        }
        for number in 1...300 { try notes.put("note number \(number) of many") }
        try notes.engine.dropExpiredHistory()
        #expect(notes.engine.historyFloor == 0)
        _ = try notes.engine.compact(.all, sealsActive: true)
        for number in 1...3 { try notes.put("note number \(number) of many") }
        try notes.engine.sealActiveSegment()
        let byteCount = try disk.readBytes { try notes.engine.dropExpiredHistory() }
        #expect(byteCount == 0)
        for id in UInt64(1)...300 {
            try notes.put("changed \(id)", id: id)
            try notes.put("changed \(id) again", id: id)
        }
        try notes.engine.sealActiveSegment()
        try notes.engine.dropExpiredHistory()
        #expect(notes.engine.historyFloor > 0)
        try notes.closeProven()
    }

    @Test func `history that has not expired is kept`() throws {
        let notes = try worn { $0.retention = HistoryRequests(.last(milliseconds: 3_600_000)) }
        try notes.engine.dropExpiredHistory()
        #expect(notes.engine.historyFloor == 0)
        try notes.closeProven()
    }

    @Test func `automatic retention keeps changes that a consumer has not acknowledged`() throws {
        let notes = try worn { $0.retention = HistoryRequests(.last(milliseconds: 0)) }
        let last = try notes.engine.visibleSequence
        let position = ChangePosition(store: notes.engine.log.store, sequence: last - 5)
        try ConsumerStore(notes.engine).write(position, of: "mailer")
        try notes.engine.dropExpiredHistory()
        #expect(notes.engine.historyFloor == last - 5)
        try notes.closeProven()
    }
}
