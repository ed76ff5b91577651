import DaybookBytes
@testable import DaybookEngine
import DaybookLog
import DaybookTestSupport
import Dispatch
import Synchronization
import Testing

/// The part of a log that copies on other machines may have.
@Suite(.timeLimit(.minutes(5))) struct DurablePositionTests {
    @Test func `a commit during the sync is not in the durable position`() throws {
        let gate = SyncGate()
        let notes = try NoteStore(GatedFileSystem(MemoryFileSystem(), gate)) {
            $0.durability = .manual
        }
        try notes.put("one")
        let last = notes.engine.log.lastSequence
        gate.shut()
        let found = Mutex<UInt64?>(nil)
        let group = DispatchGroup()
        DispatchQueue(label: "archiver").async(group: group) {
            let position = try? notes.engine.durablePosition()
            found.withLock { $0 = position?.sequence }
        }
        gate.awaitWaiter()
        try notes.put("two")
        gate.open()
        group.wait()
        #expect(found.withLock { $0 } == last)
        #expect(try notes.engine.durablePosition().sequence == last + 1)
        try notes.closeProven()
    }

    @Test func `a reader syncs the file of the writer`() throws {
        let gate = SyncGate()
        let files = GatedFileSystem(MemoryFileSystem(), gate)
        let notes = try NoteStore(files, path: "/a") { $0.durability = .manual }
        var options = EngineOptions()
        options.refreshIntervalMilliseconds = 0
        let reader = try Engine.open("/a", files, access: .read, options: options)
        try notes.put("one")
        try reader.refresh()
        let before = gate.syncCount
        let position = try reader.durablePosition()
        #expect(position.sequence == notes.engine.log.lastSequence)
        #expect(position.timeMicroseconds > 0)
        #expect(gate.syncCount == before + 1)
        try reader.close()
        try notes.engine.close()
    }

    @Test func `transactions are shipped up to a sequence, with their times`() throws {
        let notes = try NoteStore(MemoryFileSystem())
        for text in ["one", "two", "three"] { try notes.put(text) }
        let last = notes.engine.log.lastSequence
        let part = try #require(
            try notes.engine.shippedTransactions(
                after: 1, through: last - 1, sizeBytesMax: 1 << 20))
        #expect(part.firstSequence == 2 && part.lastSequence == last - 1)
        #expect(part.times.lowerBound > 0)
        #expect(
            try notes.engine.shippedTransactions(
                after: last - 1, through: last - 1, sizeBytesMax: 1 << 20) == nil)
        #expect(try notes.engine.contains(shipped: part.bytes, after: 1))
        // The log ends before the last one, or has others.
        let other = try NoteStore(MemoryFileSystem())
        for text in ["one", "TWO"] { try other.put(text) }
        #expect(try !other.engine.contains(shipped: part.bytes, after: 1))
        expectError(.corruption) { _ = try notes.engine.contains(shipped: [1, 0], after: 1) }
    }

    @Test func `a backup becomes a replica once`() throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore(files, path: "/a")
        try notes.put("one")
        try notes.engine.backup(to: "/b")
        expectError(.readOnly) { _ = try Engine.open("/b", files) }
        for _ in 0..<2 { try Engine.adoptBackup("/b", files) }
        #expect(try Engine.replicaPlace("/b", files) == [])
        expectError(.readOnly) { _ = try Engine.open("/b", files) }
        var options = EngineOptions()
        options.shipping = LogShipping(isAwaited: false)
        let replica = try Engine.open("/b", files, options: options)
        #expect(replica.log.store == notes.engine.log.store)
        try notes.put("two")
        try LogShippingTests.ship(from: notes.engine, to: replica)
        #expect(try replica.stateHash() == notes.engine.stateHash())
        try replica.close()
    }
}
