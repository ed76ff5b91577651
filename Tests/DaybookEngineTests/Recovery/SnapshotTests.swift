import DaybookBytes
@testable import DaybookEngine
import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// Snapshot metadata, and unfinished snapshots.
@Suite struct SnapshotTests {
    /// Returns the time of the last commit.
    private func lastTime(_ notes: NoteStore) throws -> Int64 {
        var time: Int64 = 0
        try notes.engine.forEachTransaction { transaction in
            time = transaction.timeMicroseconds
            return true
        }
        return time
    }

    @Test(arguments: [true, false])
    func `no commit has a time before an earlier commit's, also after a reopening`(
        hasSnapshot: Bool
    ) throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem)
        // The clock was ahead at this commit, and is set back afterwards.
        let future: UInt64 = 1 << 52
        notes.engine.trees.withLock { $0.lastTimeMicroseconds = future }
        try notes.put("in the future")
        if hasSnapshot { try notes.engine.writeSnapshot() }
        try notes.closeProven()
        let again = try NoteStore(fileSystem)
        #expect((again.engine.openReport.snapshotSequence != nil) == hasSnapshot)
        try again.put("now")
        #expect(try lastTime(again) == Int64(future))
        try again.closeProven()
    }

    @Test func `closing writes a snapshot if a background one was aborted`() throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem) { $0.snapshotChangeCountMin = 10 }
        for number in 0..<30 { try notes.put("note \(number)") }
        expectError(.interrupted) { try notes.engine.writeSnapshot(isCancelled: { true }) }
        try notes.closeProven()
        let again = try NoteStore(fileSystem)
        #expect(again.engine.openReport.snapshotSequence == again.engine.log.lastSequence)
        try again.closeProven()
    }

    @Test(arguments: FaultFileSystem.Operation.allCases)
    func `a failed snapshot leaves no file`(
        _ operation: FaultFileSystem.Operation
    ) throws {
        let memory = MemoryFileSystem()
        let counter = FaultFileSystem(
            memory, failingCall: 0, fault: .errno(28), persistence: .once, counting: [operation])
        let first = try NoteStore(counter)
        try first.put("one")
        let calls = counter.callCount
        try first.engine.writeSnapshot()
        let lastCall = counter.callCount
        try first.closeProven()
        for call in stride(from: calls + 1, through: lastCall, by: 1) {
            let memory = MemoryFileSystem()
            let fileSystem = FaultFileSystem(
                memory, failingCall: call, fault: .errno(28), persistence: .once,
                counting: [operation])
            let notes = try NoteStore(fileSystem)
            try notes.put("one")
            _ = try? notes.engine.writeSnapshot()
            #expect(fileSystem.hasFailed)
            #expect(memory.contents.keys.filter { $0.hasSuffix(".tmp") } == [])
            try notes.engine.close()
        }
    }
}
