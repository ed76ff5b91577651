import DaybookBytes
import Dispatch
@testable import DaybookLog
import DaybookTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(30))) struct GroupCommitTests {
    /// A log over a gate, with appended and unsynced texts.
    private func log(
        _ gate: SyncGate, _ memory: MemoryFileSystem = MemoryFileSystem(), appended count: Int
    )
        throws -> Log
    {
        var fixture = try LogFixture(GatedFileSystem(memory, gate))
        try fixture.append(count: count)
        return fixture.log
    }

    @Test func `commits that wait together share a sync`() throws {
        let gate = SyncGate()
        let log = try log(gate, appended: 20)
        let durability = try #require(log.durability)
        let before = gate.syncCount
        gate.shut()
        let release = DispatchQueue(label: "release")
        release.async {
            gate.awaitWaiter()
            gate.open()
        }
        try onThreads(20) { number in try durability.wait(for: UInt64(number + 1)) }
        release.sync {}
        // The first commit leads a sync. That sync or the next covers all others.
        #expect(gate.syncCount - before <= 2)
        #expect(durability.durableSequence == 20)
    }

    @Test func `a commit that is already durable does not wait`() throws {
        let gate = SyncGate()
        let log = try log(gate, appended: 3)
        let durability = try #require(log.durability)
        try durability.wait(for: 2)
        #expect(durability.durableSequence == 3)
        let count = gate.syncCount
        gate.shut()
        try durability.wait(for: 3)
        #expect(gate.syncCount == count)
        gate.open()
    }

    @Test func `a failed sync fails all waiting and all later commits`() throws {
        let gate = SyncGate()
        let memory = MemoryFileSystem()
        var fixture = try LogFixture(GatedFileSystem(memory, gate))
        try fixture.append(count: 4)
        let log = fixture.log
        let durability = try #require(log.durability)
        try durability.wait(for: 4)
        try fixture.append(count: 6)
        gate.shut()
        gate.fail()
        let release = DispatchQueue(label: "release")
        release.async {
            gate.awaitWaiter()
            gate.open()
        }
        let codes = Mutex<[DaybookError.Code]>([])
        try onThreads(6) { number in
            do throws(DaybookError) {
                try durability.wait(for: UInt64(number + 5))
            } catch {
                codes.withLock { $0.append(error.code) }
            }
        }
        release.sync {}
        #expect(codes.withLock { $0 } == Array(repeating: .durabilityUnknown, count: 6))
        #expect(durability.durableSequence == 4)
        try durability.wait(for: 4)
        let count = gate.syncCount
        let later = expectError(.durabilityUnknown) { try durability.wait(for: 10) }
        #expect(later?.details["durableSequence"] == "4")
        #expect((later?.cause as? DaybookError)?.code == .inputOutput)
        expectError(.durabilityUnknown) {
            _ = try log.append([LogFixture.payload("x", 11)], timeMicroseconds: 1)
        }
        expectError(.durabilityUnknown) { try log.close() }
        // No sync is retried on that descriptor.
        #expect(gate.syncCount == count)
        let again = try LogFixture(memory.afterKill())
        #expect(try again.texts().count == 10)
    }

    @Test func `durable sequences are reported in order, before waiters wake`() throws {
        let recorder = DurableSequenceRecorder()
        var fixture = try LogFixture(MemoryFileSystem(), recorder: recorder)
        let log = fixture.log
        for round in 0..<10 {
            try fixture.append(count: 3)
            let last = fixture.sequence
            try onThreads(3) { number in
                try log.durability?.wait(for: last - UInt64(number))
                guard (recorder.sequences.last ?? 0) >= last - UInt64(number) else {
                    throw TooEarly()
                }
            }
            #expect(recorder.sequences.last == last, "round \(round)")
        }
        #expect(recorder.sequences == recorder.sequences.sorted())
    }

    // A leader that was overtaken by a roll, a compaction and the closing of the old segment found
    // its file closed and treated that as a failed sync.
    @Test func `a leader's segment stays open until it has synced`() throws {
        let fileSystem = MemoryFileSystem()
        try fileSystem.createDirectory("/d")
        let manifest = Manifest(store: StoreIdentity(high: 1, low: 2), createdMicroseconds: 0)
        try SegmentFile.create(manifest, in: "/d", fileSystem).close()
        var segment: Segment? = try Segment.open(
            manifest.activeHeader, in: "/d", fileSystem, .readWrite)
        let durability = GroupCommit(
            durable: 0, file: try #require(segment).file, onDurable: { _ in })
        segment = nil
        durability.appended(1)
        try durability.wait(for: 1)
        #expect(durability.failure == nil)
    }

    @Test func `a caller that does not block is called back`() async throws {
        let gate = SyncGate()
        let log = try log(gate, appended: 5)
        let durability = try #require(log.durability)
        let queue = DispatchQueue(label: "syncs", attributes: .concurrent)
        await withTaskGroup(of: DaybookError?.self) { group in
            for sequence in UInt64(1)...5 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        durability.whenDurable(sequence, on: queue) {
                            continuation.resume(returning: $0)
                        }
                    }
                }
            }
            for await error in group { #expect(error == nil) }
        }
        gate.fail()
        _ = try log.append([LogFixture.payload("x", 6)], timeMicroseconds: 1)
        let error = await withCheckedContinuation { continuation in
            durability.whenDurable(6, on: queue) { continuation.resume(returning: $0) }
        }
        #expect(error?.code == .durabilityUnknown)
    }
}

private struct TooEarly: Error {}
