import DaybookBytes
@testable import DaybookEngine
import DaybookLog
import DaybookPages
import DaybookTestSupport
import Dispatch
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(30))) struct DurabilityTests {
    @Test func `no reader sees a commit before it is durable`() throws {
        let gate = SyncGate()
        let notes = try NoteStore(GatedFileSystem(MemoryFileSystem(), gate))
        try notes.put("one")
        let recorder = CommitRecorder(after: notes.engine.commitSignal.sequence)
        _ = recorder.listen(to: notes.engine)
        gate.shut()
        let group = DispatchGroup()
        DispatchQueue(label: "writer").async(group: group) { _ = try? notes.put("two") }
        gate.awaitWaiter()
        #expect(try notes.count() == 1)
        #expect(try notes.text(2) == nil)
        #expect(recorder.sequences.isEmpty)
        // A later write transaction sees it.
        try onThreads(1) { _ in
            expectError(.notFound) {
                try notes.engine.write { transaction in
                    #expect(try transaction.changes.contains(notes.entity, 2))
                    try notes.put("x", id: 99, mode: .update, in: transaction)
                }
            }
        }
        gate.open()
        group.wait()
        #expect(try notes.text(2) == "two")
        #expect(recorder.sequences == [3])
        try notes.closeProven()
    }

    @Test
    func `a commit below always is visible at once, and signalled when it is durable`()
        throws
    {
        let gate = SyncGate()
        let notes = try NoteStore(GatedFileSystem(MemoryFileSystem(), gate)) {
            $0.durability = .manual
        }
        try notes.engine.sync()
        let recorder = CommitRecorder(after: notes.engine.commitSignal.sequence)
        _ = recorder.listen(to: notes.engine)
        let before = gate.syncCount
        try notes.put("one")
        try notes.put("two")
        #expect(try notes.count() == 2)
        #expect(gate.syncCount == before)
        #expect(recorder.sequences.isEmpty)
        try notes.engine.sync()
        #expect(gate.syncCount == before + 1)
        #expect(recorder.sequences == [2, 3])
        try notes.closeProven()
    }

    @Test func `with interval durability syncs run automatically`() throws {
        let gate = SyncGate()
        let notes = try NoteStore(GatedFileSystem(MemoryFileSystem(), gate)) {
            $0.durability = .interval(.milliseconds(2))
        }
        let signalled = DispatchSemaphore(value: 0)
        _ = notes.engine.commitSignal.add { if $0 == 2 { signalled.signal() } }
        try notes.put("one")
        signalled.wait()
        #expect(gate.syncCount > 0)
        try notes.closeProven()
    }

    @Test func `interval syncs do not wait for maintenance`() throws {
        let notes = try NoteStore(MemoryFileSystem()) {
            $0.durability = .interval(.milliseconds(2))
        }
        let signalled = DispatchSemaphore(value: 0)
        _ = notes.engine.commitSignal.add { if $0 == 2 { signalled.signal() } }
        let end = DispatchSemaphore(value: 0)
        notes.engine.maintenance.async { end.wait() }
        try notes.put("one")
        // The signal arrives immediately. If it waited for the maintenance, it would never arrive.
        #expect(signalled.wait(timeout: .now() + .seconds(20)) == .success)
        end.signal()
        try notes.closeProven()
    }

    // A subscriber that was notified of a commit during a roll waited for the log's locks.
    @Test func `a notified subscriber may sync and read the log`() throws {
        let notes = try NoteStore(MemoryFileSystem()) {
            NoteStore.small(&$0)
            $0.durability = .manual
        }
        let engine = notes.engine
        let recorder = CommitRecorder(after: engine.log.lastSequence)
        _ = engine.commitSignal.add { sequence in
            let isCovered = engine.log.end.sequence >= sequence
            if isCovered, (try? engine.sync()) != nil, (try? engine.log.sealActiveSegment()) != nil
            {
                recorder.record(sequence)
            }
        }
        let group = DispatchGroup()
        DispatchQueue(label: "writer").async(group: group) {
            for number in 0..<40 { _ = try? notes.put("note \(number)") }
            try? engine.sync()
        }
        let isOver = group.wait(timeout: .now() + .seconds(20))
        #expect(isOver == .success)
        guard isOver == .success else { return }
        #expect(recorder.sequences == Array(2...41))
        try notes.closeProven()
    }

    @Test func `signalled commits are visible and in order`() throws {
        let notes = try NoteStore(MemoryFileSystem(), NoteStore.small)
        let engine = notes.engine
        let recorder = CommitRecorder(after: engine.commitSignal.sequence)
        let unseen = Mutex<[UInt64]>([])
        _ = engine.commitSignal.add { sequence in
            let visible = (try? engine.visibleSequence) ?? 0
            if visible < sequence { unseen.withLock { $0.append(sequence) } }
            recorder.record(sequence)
        }
        try onThreads(4) { number in
            for round in 0..<50 { try notes.put("\(number) \(round)") }
        }
        try engine.sync()
        #expect(recorder.sequences == Array(2...201))
        #expect(unseen.withLock { $0 } == [])
        try notes.closeProven()
    }

    // The sync of one writer covered a commit that another had appended and not applied yet: that
    // commit returned, but stayed invisible until the next sync.
    @Test func `a commit that another writer's sync covered is visible once it is applied`()
        throws
    {
        let space = PageSpace()
        let publication = Publication(
            PageSpaceSlot(space), waitsForSync: true, waitsForShipping: false)
        let recorder = CommitRecorder(after: 6)
        _ = publication.signal.add { recorder.record($0) }
        publication.becameDurable(7)
        space.begin(sequence: 1)
        try space.put(1, 1, WordValue(first: 1, second: 1))
        publication.enqueue(space.end(), of: 7)
        #expect(space.publishedVersion.sequence == 1)
        publication.tell()
        #expect(recorder.sequences == [7])
    }

    @Test func `concurrent writers share their syncs`() throws {
        let gate = SyncGate()
        let notes = try NoteStore(GatedFileSystem(MemoryFileSystem(), gate))
        let before = gate.syncCount
        gate.shut()
        let group = DispatchGroup()
        DispatchQueue(label: "opener").async(group: group) {
            gate.awaitWaiter()
            while notes.engine.log.lastSequence < 17 {}
            gate.open()
        }
        try onThreads(16) { number in try notes.put("\(number)") }
        group.wait()
        // One sync for the first commit alone, and one or two for all commits that arrived
        // meanwhile.
        #expect(gate.syncCount - before <= 3)
        #expect(try notes.count() == 16)
        try notes.closeProven()
    }

    @Test
    func `a failed sync poisons the store, so that reads work and each write reports the reason`()
        throws
    {
        let gate = SyncGate()
        let memory = MemoryFileSystem()
        let notes = try NoteStore(GatedFileSystem(memory, gate))
        try notes.put("one")
        gate.fail()
        expectError(.durabilityUnknown) { try notes.put("two") }
        #expect(try notes.all() == [1: "one"])
        expectError(.durabilityUnknown) { try notes.put("three") }
        expectError(.durabilityUnknown) { try notes.engine.sync() }
        expectError(.durabilityUnknown) { try notes.engine.writeSnapshot() }
        expectError(.durabilityUnknown) { _ = try notes.engine.compact(.latest) }
        let closing = expectError(.durabilityUnknown) { try notes.engine.close() }
        #expect((closing?.cause as? DaybookError)?.code == .inputOutput)
        try notes.engine.close()
        expectError(.closed) { _ = try notes.count() }
        // The lock was released, and the next opening determines the durable commits.
        let again = try NoteStore(memory)
        #expect(try again.text(1) == "one")
        #expect(again.engine.openReport.recovery.rewrittenFrameCount > 0)
        try again.put("goes on")
        try again.closeProven()
    }

    @Test func `all writers that wait for a failing sync get the error`() throws {
        let gate = SyncGate()
        let notes = try NoteStore(GatedFileSystem(MemoryFileSystem(), gate))
        gate.shut()
        gate.fail()
        let group = DispatchGroup()
        DispatchQueue(label: "opener").async(group: group) {
            gate.awaitWaiter()
            gate.open()
        }
        let codes = Mutex<[DaybookError.Code]>([])
        try onThreads(8) { number in
            do { try notes.put("\(number)") } catch let error as DaybookError {
                codes.withLock { $0.append(error.code) }
            }
        }
        group.wait()
        #expect(codes.withLock { $0 } == Array(repeating: .durabilityUnknown, count: 8))
        #expect(try notes.count() == 0)
    }
}
