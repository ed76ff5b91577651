import DaybookBytes
@testable import DaybookEngine
import DaybookLog
import DaybookTestSupport
import Testing

/// A reader in another process shows nothing that a power cut could still take back.
@Suite struct FollowerDurabilityTests {
    @Test func `a reader that opens syncs what no sync is known to cover`() throws {
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
        // After a clean close all of it is known to be there.
        let count = gate.syncCount
        #expect(try NoteStore(GatedFileSystem(memory, gate), access: .read).count() == 1)
        #expect(gate.syncCount == count)
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
        gate.mend()
        // The operating system reports a failure once, so a second sync proves nothing.
        expectError(.durabilityUnknown) { try follower.engine.refresh() }
        try notes.put("three")
        _ = try notes.engine.compact(.all, sealsActive: true)
        expectError(.durabilityUnknown) { try follower.engine.refresh() }
        #expect(try follower.all() == [1: "one"])
        let again = try NoteStore(GatedFileSystem(memory, gate), access: .read)
        #expect(try again.count() == 3)
        try notes.closeProven()
    }

    @Test func `a failure of the timer's is forgotten when a later look succeeds`() throws {
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
