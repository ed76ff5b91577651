import DaybookBytes
@testable import DaybookEngine
import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Testing

/// A reader in another process shows nothing that a power cut could still revert.
@Suite struct FollowerDurabilityTests {
    @Test func `a reader that opens syncs commits that may not be durable`() throws {
        let memory = MemoryFileSystem()
        let notes = try NoteStore(memory) { $0.durability = .manual }
        try notes.put("one")
        let gate = SyncGate()
        let follower = try NoteStore(GatedFileSystem(memory, gate), access: .read)
        #expect(gate.syncCount == 1)
        #expect(try follower.all() == [1: "one"])
        gate.fail()
        let error = expectError(.durabilityUnknown) {
            _ = try NoteStore(GatedFileSystem(memory, gate), access: .read)
        }
        #expect((error?.cause as? DaybookError)?.code == .inputOutput)
        try notes.engine.close()
        // After a clean close, the whole log is known to be durable.
        let count = gate.syncCount
        #expect(try NoteStore(GatedFileSystem(memory, gate), access: .read).count() == 1)
        #expect(gate.syncCount == count)
    }

    // A recovery had rewritten the last commits and replaced CURRENT, and its sync of the directory
    // failed. The manifest declared the commits durable, so a reader showed them without a sync. A
    // power cut restored the old CURRENT and the old segment without these commits.
    @Test func `a reader that opens syncs the directory whose names it uses`() throws {
        let fileSystem = MemoryFileSystem(recording: true)
        let notes = try NoteStore(fileSystem) { $0.durability = .manual }
        try notes.put("one")
        try notes.engine.sync()
        try notes.put("two")
        notes.engine.log.abandon()
        let failing = FaultFileSystem(
            fileSystem, failingCall: 3, fault: .errno(5), persistence: .once,
            counting: [.syncDirectory])
        expectError(.durabilityUnknown) { _ = try NoteStore(failing) }
        let seen = try NoteStore(fileSystem, access: .read).all()
        #expect(seen.count == 2)
        try fileSystem.visitCrashImages(
            after: fileSystem.operationCount, seed: 1, randomCount: 8
        ) { image in
            let again = try NoteStore(image.makeFileSystem())
            #expect(try again.all() == seen, "\(image)")
            try again.closeProven()
        }
    }

    @Test func `a reader's failed sync is final`() throws {
        let memory = MemoryFileSystem()
        let notes = try NoteStore(memory)
        try notes.put("one")
        let gate = SyncGate()
        let follower = try NoteStore(GatedFileSystem(memory, gate), access: .read)
        try notes.put("two")
        gate.fail()
        expectError(.durabilityUnknown) { try follower.engine.refresh() }
        gate.repair()
        // The operating system reports a failure once, so a second successful sync proves nothing.
        expectError(.durabilityUnknown) { try follower.engine.refresh() }
        try notes.put("three")
        _ = try notes.engine.compact(.all, sealsActive: true)
        expectError(.durabilityUnknown) { try follower.engine.refresh() }
        #expect(try follower.all() == [1: "one"])
        let again = try NoteStore(GatedFileSystem(memory, gate), access: .read)
        #expect(try again.count() == 3)
        try notes.closeProven()
    }

    @Test func `a failed automatic refresh is cleared when a later one succeeds`() throws {
        let memory = MemoryFileSystem()
        let notes = try NoteStore(memory)
        let follower = try NoteStore(memory, access: .read)
        follower.engine.trees.withLock {
            $0.maintenanceFailure = DaybookError(.inputOutput, "The disk did not answer.")
        }
        try follower.engine.refresh()
        #expect(follower.engine.maintenanceFailure == nil)
        try notes.closeProven()
    }
}
