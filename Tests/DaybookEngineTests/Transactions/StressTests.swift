import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Synchronization
import Testing

/// A stress test for the thread sanitizer: concurrent writers, readers, transactions, subscribers,
/// snapshots, compactions, a follower, and small caches.
@Suite struct StressTests {
    @Test(arguments: [Durability.always, .interval(.milliseconds(1)), .manual])
    func `all operations run concurrently`(durability: Durability) throws {
        let fileSystem = MemoryFileSystem()
        let notes = try NoteStore(fileSystem) {
            $0.durability = durability
            $0.log.segmentSizeBytes = 8 << 10
            $0.blockPayloadBytes = 2 << 10
            $0.log.frameCacheBudgetBytes = 64 << 10
            $0.snapshotIntervalBytes = 16 << 10
            $0.isMaintenanceAutomatic = true
        }
        // Both notes of a pair always change together.
        for _ in 0..<20 { try notes.put("start") }
        let running = Atomic(4)
        let recorder = CommitRecorder(after: 0)
        let number = recorder.listen(to: notes.engine)
        let follower = try NoteStore(fileSystem, access: .read) {
            $0.refreshIntervalMilliseconds = 1
        }
        try onThreads(9) { thread in
            switch thread {
            case 0..<4:
                defer { running.subtract(1, ordering: .acquiringAndReleasing) }
                try self.write(notes, thread)
            case 4:
                while running.load(ordering: .acquiring) > 0 {
                    try notes.engine.writeSnapshotAndPrune()
                }
            case 5:
                while running.load(ordering: .acquiring) > 0 {
                    _ = try notes.engine.compact(.latest)
                    _ = try notes.engine.compact(.all, sealsActive: true)
                }
            case 6:
                while running.load(ordering: .acquiring) > 0 {
                    try follower.engine.refresh()
                    try self.checkPairs(follower)
                }
            default: while running.load(ordering: .acquiring) > 0 { try self.checkPairs(notes) }
            }
        }
        try notes.engine.sync()
        #expect(recorder.sequences.last == (try notes.engine.visibleSequence))
        notes.engine.commitSignal.remove(number)
        #expect(notes.engine.maintenanceFailure == nil)
        try follower.engine.refresh()
        #expect(try follower.all() == (try notes.all()))
        #expect(follower.engine.maintenanceFailure == nil)
        try follower.engine.close()
        let all = try notes.all()
        try notes.engine.close()
        let again = try NoteStore(fileSystem)
        #expect(try again.all() == all)
        try again.closeProven()
    }

    private func write(_ notes: NoteStore, _ thread: Int) throws {
        for round in 0..<40 {
            let pair = UInt64((round * 3 + thread) % 10)
            try notes.engine.write { transaction in
                try notes.put("\(thread) \(round)", id: 2 * pair + 1, in: transaction)
                try notes.put("\(thread) \(round)", id: 2 * pair + 2, in: transaction)
            }
            if round % 8 == 0 {
                let id = try notes.put("short-lived")
                try notes.remove(id)
            }
        }
    }

    private func checkPairs(_ notes: NoteStore) throws {
        try notes.engine.readTransaction {
            for pair in 0..<UInt64(10) {
                let (one, other) = (try notes.text(2 * pair + 1), try notes.text(2 * pair + 2))
                guard one == other, one != nil else { throw Refusal(number: Int(pair)) }
            }
        }
    }
}
