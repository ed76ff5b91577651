import DaybookBytes
@testable import DaybookEngine
import DaybookLog
import DaybookMaintenance
import DaybookTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

/// The log of a writer, shipped to followers.
@Suite(.timeLimit(.minutes(5))) struct LogShippingTests {
    /// A writer of notes in `/a`. Its commits wait for shipping if `isAwaited` is true.
    static func writer(
        _ files: MemoryFileSystem, isAwaited: Bool = false,
        _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> (notes: NoteStore, shipping: LogShipping) {
        // The entity is there before commits wait.
        try NoteStore(files, path: "/a").engine.close()
        let shipping = LogShipping(isAwaited: isAwaited)
        shipping.beginWriting {}
        let notes = try NoteStore(files, path: "/a") {
            $0.shipping = shipping
            change(&$0)
        }
        shipping.begin(at: notes.engine.log.lastSequence)
        return (notes, shipping)
    }

    static func follower(
        _ files: MemoryFileSystem, of store: StoreIdentity,
        _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws -> Engine {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.log.preallocationStepBytes = 16 << 10
        options.shipping = LogShipping(isAwaited: false)
        options.newStoreIdentity = store
        change(&options)
        return try Engine.open("/b", files, options: options)
    }

    /// Ships everything that the follower lacks, in pieces. Returns the number of pieces.
    @discardableResult
    static func ship(
        from writer: Engine, to follower: Engine, sizeBytesMax: Int = 1000
    ) throws -> Int {
        var count = 0
        while let next = try writer.shippedTransactions(
            after: follower.log.lastSequence, sizeBytesMax: sizeBytesMax)
        {
            let last = try follower.append(
                shipped: next.bytes, after: follower.log.lastSequence)
            #expect(last == next.lastSequence && follower.log.lastSequence == last)
            count += 1
        }
        return count
    }

    @Test func `a follower has the state and the log of the writer`() throws {
        let files = MemoryFileSystem()
        let (notes, _) = try Self.writer(files)
        let follower = try Self.follower(files, of: notes.engine.log.store)
        for number in 1...40 { try notes.put("note \(number)") }
        try notes.put("changed", id: 3)
        try notes.remove(5)
        #expect(try Self.ship(from: notes.engine, to: follower, sizeBytesMax: 200) > 5)
        try notes.engine.write { transaction in
            for number in 0..<3000 { _ = try notes.put("bulk \(number)", in: transaction) }
        }
        #expect(try Self.ship(from: notes.engine, to: follower) == 1)
        #expect(try follower.stateHash() == notes.engine.stateHash())
        #expect(follower.log.store == notes.engine.log.store)
        try follower.proveReplay()
        #expect(try follower.visibleSequence == notes.engine.visibleSequence)
        try follower.close()
        let again = try Self.follower(files, of: notes.engine.log.store)
        #expect(try again.stateHash() == notes.engine.stateHash())
        try again.close()
        try notes.closeProven()
    }

    @Test func `a follower with small segments takes snapshots and compresses them`() throws {
        let files = MemoryFileSystem()
        let (notes, shipping) = try Self.writer(files, NoteStore.small)
        let follower = try Self.follower(files, of: notes.engine.log.store, NoteStore.small)
        for round in 0..<5 {
            for number in 1...20 { try notes.put("note \(round) \(number) and more", id: 0) }
            try Self.ship(from: notes.engine, to: follower)
            try follower.writeSnapshotAndPrune()
            _ = try follower.compact(.all)
            notes.engine.didShip(through: follower.log.lastSequence)
            _ = try notes.engine.compact(.all)
        }
        #expect(shipping.shippedSequence == notes.engine.log.lastSequence)
        #expect(follower.log.manifest.sealed.contains { $0.isBlocked })
        #expect(try follower.stateHash() == notes.engine.stateHash())
        try follower.proveReplay()
        // A follower that starts now reads compressed transactions.
        let late = try Engine.open("/c", files, options: follower.options.forNewFollower())
        try Self.ship(from: notes.engine, to: late)
        #expect(try late.stateHash() == notes.engine.stateHash())
        try late.close()
        try follower.close()
        try notes.closeProven()
    }

    @Test func `a commit becomes visible and returns when it is shipped`() throws {
        let files = MemoryFileSystem()
        let (notes, shipping) = try Self.writer(files, isAwaited: true)
        let recorder = CommitRecorder(after: notes.engine.commitSignal.sequence)
        _ = recorder.listen(to: notes.engine)
        let group = DispatchGroup()
        DispatchQueue(label: "writer").async(group: group) { _ = try? notes.put("one") }
        while notes.engine.log.lastSequence < 2 { Thread.sleep(forTimeInterval: 0.001) }
        #expect(try notes.count() == 0)
        #expect(recorder.sequences.isEmpty)
        #expect(group.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
        // A snapshot, a rebuild of the indexes and history reads leave the commit invisible.
        try notes.engine.writeSnapshotAndPrune()
        #expect(try notes.count() == 0)
        let engine = notes.engine
        try engine.writer.withLock { _ in try engine.rebuild(replacing: engine.slot.current) }
        #expect(try notes.count() == 0)
        #expect(engine.readableSequence == 1)
        #expect(recorder.sequences.isEmpty)
        notes.engine.didShip(through: 2)
        group.wait()
        #expect(try notes.count() == 1)
        #expect(recorder.sequences == [2])
        shipping.stop(because: DaybookError(.interrupted, "The shipper of the test has ended."))
        expectError(.interrupted) { try notes.put("two") }
        try notes.engine.close()
    }

    @Test func `a failed wait leaves the commit to a later shipment`() async throws {
        let files = MemoryFileSystem()
        let (notes, shipping) = try Self.writer(files, isAwaited: true)
        let failed = Mutex(false)
        DispatchQueue(label: "shipper").async {
            while notes.engine.log.lastSequence < 2 { Thread.sleep(forTimeInterval: 0.001) }
            while !failed.withLock({ $0 }) {
                shipping.failWaiting(DaybookError(.interrupted, "The stream cannot be reached."))
                Thread.sleep(forTimeInterval: 0.001)
            }
        }
        await #expect(throws: DaybookError.self) {
            try await notes.engine.write { try notes.put("one", in: $0) }
        }
        failed.withLock { $0 = true }
        #expect(try notes.count() == 0)
        notes.engine.didShip(through: 2)
        #expect(try notes.count() == 1)
        try notes.closeProven()
    }

    @Test func `a follower refuses commits, gaps and transactions of another log`() throws {
        let files = MemoryFileSystem()
        let (notes, _) = try Self.writer(files)
        for number in 1...5 { try notes.put("note \(number)") }
        let follower = try Self.follower(files, of: notes.engine.log.store)
        let all = try #require(
            try notes.engine.shippedTransactions(after: 0, sizeBytesMax: 1 << 20))
        let late = try #require(
            try notes.engine.shippedTransactions(after: 3, sizeBytesMax: 1 << 20))
        expectError(.invalidArgument) { try follower.append(shipped: late.bytes, after: 3) }
        try follower.append(shipped: all.bytes, after: 0)
        // Equal transactions are skipped.
        #expect(try follower.append(shipped: late.bytes, after: 3) == late.lastSequence)
        #expect(follower.log.lastSequence == all.lastSequence)
        expectError(.readOnly) { try follower.write { _ in } }
        expectError(.readOnly) { _ = try follower.compact(HistoryPolicy(.latest)) }
        let (other, _) = try Self.writer(MemoryFileSystem())
        for number in 1...9 { try other.put("note \(number < 3 ? number : 0)") }
        let foreign = try #require(
            try other.engine.shippedTransactions(after: 0, sizeBytesMax: 1 << 20))
        let error = expectError(.historyOfAnotherStore) {
            try follower.append(shipped: foreign.bytes, after: 0)
        }
        #expect(error?.details["commonSequence"] != nil)
        #expect(try follower.stateHash() == notes.engine.stateHash())
        try follower.close()
        try notes.closeProven()
        try other.closeProven()
    }

    @Test func `damaged transactions are an error and change nothing`() throws {
        let files = MemoryFileSystem()
        let (notes, _) = try Self.writer(files)
        for number in 1...3 { try notes.put("note \(number)") }
        let follower = try Self.follower(files, of: notes.engine.log.store)
        let all = try #require(
            try notes.engine.shippedTransactions(after: 0, sizeBytesMax: 1 << 20)
        ).bytes
        for count in 0..<all.count {
            #expect(throws: DaybookError.self) {
                try follower.append(shipped: Array(all[..<count]), after: 0)
            }
            #expect(follower.log.lastSequence == 0)
        }
        try follower.append(shipped: all, after: 0)
        #expect(try follower.stateHash() == notes.engine.stateHash())
        try follower.close()
        try notes.closeProven()
    }

    @Test func `the directory of a replica opens for writing with replication only`() throws {
        let files = MemoryFileSystem()
        let (notes, _) = try Self.writer(files)
        try notes.put("one")
        #expect(try notes.engine.replicaPlace() == nil)
        try notes.engine.saveReplicaPlace([1, 2])
        #expect(try notes.engine.replicaPlace() == [1, 2])
        try notes.closeProven()
        expectError(.readOnly) { _ = try NoteStore(files, path: "/a") }
        let reader = try NoteStore(files, path: "/a", access: .read)
        #expect(try reader.count() == 1)
        try reader.engine.close()
    }
}

extension EngineOptions {
    /// The same options for another follower.
    func forNewFollower() -> EngineOptions {
        var options = self
        options.shipping = LogShipping(isAwaited: false)
        return options
    }
}
