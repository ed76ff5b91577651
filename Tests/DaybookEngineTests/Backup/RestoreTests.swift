import DaybookBytes
@testable import DaybookEngine
import DaybookMaintenance
@testable import DaybookLog
import DaybookTesting
import DaybookTestSupport
import Foundation
import Synchronization
import Testing

/// Restoring stores from backups.
@Suite struct RestoreTests {
    private static let path = "/backup"

    @Test func `a restored store has the same history and a new identity`() throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files)
        let report = try notes.engine.backup(to: Self.path)
        let expected = try notes.all()
        try notes.put("later")
        let restored = try Engine.restore(from: Self.path, to: "/restored", files)
        #expect(restored.sequence == report.sequence)
        let store = try NoteStore(files, path: "/restored")
        #expect(try store.all() == expected)
        try store.put("its own")
        // The common history, and the commits of only one of the stores.
        let (source, own) = (notes.engine.log.store, store.engine.log.store)
        #expect(own == restored.store && own != source)
        #expect(store.engine.sharesHistory(of: source, until: report.sequence))
        #expect(!store.engine.sharesHistory(of: source, until: report.sequence + 1))
        #expect(store.engine.sharesHistory(of: own, until: report.sequence + 1))
        #expect(!notes.engine.sharesHistory(of: own, until: 1))
        try store.closeProven()
        let again = try NoteStore(files, path: "/restored")
        #expect(again.engine.sharesHistory(of: source, until: report.sequence))
        // A copy of the copy, up to a sequence before the two histories diverged.
        try again.engine.backup(to: "/again")
        let third = try Engine.restore(from: "/again", to: "/third", until: .sequence(5), files)
        #expect(third.sequence == 5)
        let last = try NoteStore(files, path: "/third", access: .read)
        for (one, until) in [(source, UInt64(5)), (own, 5)] {
            #expect(last.engine.sharesHistory(of: one, until: until))
            #expect(!last.engine.sharesHistory(of: one, until: until + 1))
        }
        try last.engine.close()
        try again.closeProven()
        try notes.closeProven()
    }

    @Test func `a store is restored as of any sequence`() throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files, count: 8)
        try notes.put("changed", id: 3)
        try notes.remove(5)
        let report = try notes.engine.backup(to: Self.path)
        for sequence in 1...report.sequence {
            let restored = try Engine.restore(
                from: Self.path, to: "/at-\(sequence)", until: .sequence(sequence), files)
            let copied = try notes.engine.copy(
                into: "/copied-\(sequence)", until: .sequence(sequence))
            #expect(restored.sequence == sequence)
            #expect(restored.stateHash == copied.stateHash)
        }
        expectError(.fileExists) {
            _ = try Engine.restore(from: Self.path, to: "/at-1", files)
        }
        expectError(.fileNotFound) {
            _ = try Engine.restore(from: "/nowhere", to: "/new", files)
        }
        try notes.closeProven()
    }

    @Test func `a sequence or time outside the backup is refused, and nothing is created`() throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files, count: 8)
        let last = try notes.engine.backup(to: Self.path).sequence
        for point: HistoryPoint in [
            .sequence(0), .sequence(last + 1), .sequence(.max), .time(first: 0, last: 0),
            .time(first: .min, last: .min),
        ] {
            let error = expectError(.invalidArgument) {
                _ = try Engine.restore(from: Self.path, to: "/new", until: point, files)
            }
            #expect(error?.message.contains("Use") == true)
            #expect(try files.kind(of: "/new") == nil)
        }
        let all = try Engine.restore(
            from: Self.path, to: "/new", until: .time(first: .max, last: .max), files)
        #expect(all.sequence == last)
        try notes.closeProven()
    }

    @Test func `an interrupted restore leaves no directory that opens as a store`()
        throws
    {
        let files = MemoryFileSystem(recording: true)
        let notes = try NoteStore.filled(files, count: 8)
        try notes.engine.backup(to: Self.path)
        let expected = try notes.all()
        let before = files.operationCount
        _ = try Engine.restore(from: Self.path, to: "/new", files)
        var wholeCount = 0
        for operation in before...files.operationCount {
            let found = files.afterKill(at: operation)
            do {
                let store = try NoteStore(found, path: "/new", access: .read)
                #expect(try store.all() == expected, "operation \(operation)")
                try store.engine.close()
                wholeCount += 1
            } catch DaybookError.Code.fileNotFound {
            } catch DaybookError.Code.notAStore {
                if try found.list("/new").isEmpty { continue }
                expectError(.fileExists) {
                    _ = try Engine.restore(from: Self.path, to: "/new", found)
                }
            }
        }
        #expect(wholeCount > 0 && wholeCount < files.operationCount - before)
        try notes.closeProven()
    }

    @Test func `a damaged backup is not restored`() throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore.filled(files)
        try notes.engine.backup(to: Self.path)
        try notes.engine.close()
        let name = try #require(files.paths("segment-").first { $0.hasPrefix(Self.path) })
        let found = files.afterKill(changing: name) { $0[300] ^= 1 }
        expectError(.corruption) { _ = try Engine.restore(from: Self.path, to: "/new", found) }
        #expect(try found.kind(of: "/new") == nil)
    }

    /// Runs writers, snapshots and compactions, and makes repeated backups into the same directory.
    @Test(arguments: [Durability.always, .manual])
    func `a backup under load restores exactly its reported sequence`(
        durability: Durability
    ) throws {
        let files = MemoryFileSystem()
        let notes = try NoteStore(files) {
            $0.durability = durability
            $0.log.segmentSizeBytes = 8 << 10
            $0.snapshotIntervalBytes = 16 << 10
            $0.isMaintenanceAutomatic = true
        }
        for number in 0..<50 { try notes.put("note \(number)") }
        let rounds = Int(4 * Seeds.rounds)
        let isDone = Atomic(false)
        // Limits the number of commits, because the checks of an ever-growing store never finish.
        let goal = Atomic<UInt64>(400)
        try onThreads(4) { thread in
            switch thread {
            case 0:
                defer { isDone.store(true, ordering: .releasing) }
                var last: UInt64 = 0
                for round in 0..<rounds {
                    while try notes.engine.visibleSequence < last + 20 {
                        Thread.sleep(forTimeInterval: 0.001)
                    }
                    let report = try notes.engine.backup(to: Self.path)
                    #expect(report.sequence >= last)
                    last = report.sequence
                    goal.store(last + 400, ordering: .relaxed)
                    #expect(try Engine.verify(Self.path, files).findings.isEmpty)
                    let restored = try Engine.restore(
                        from: Self.path, to: "/restored-\(round)", files)
                    #expect(restored.sequence == report.sequence)
                    let copied = try notes.engine.copy(
                        into: "/copied-\(round)", until: .sequence(report.sequence))
                    #expect(restored.stateHash == copied.stateHash)
                    #expect(restored.recordCount == copied.recordCount)
                }
            case 1:
                while !isDone.load(ordering: .acquiring) {
                    _ = try notes.engine.compact(.all, sealsActive: true)
                    try notes.engine.writeSnapshotAndPrune()
                }
            default:
                var number = 0
                while !isDone.load(ordering: .acquiring) {
                    guard try notes.engine.visibleSequence < goal.load(ordering: .relaxed) else {
                        Thread.sleep(forTimeInterval: 0.001)
                        continue
                    }
                    number += 1
                    try notes.put("thread \(thread) number \(number)", id: UInt64(1 + number % 50))
                }
            }
        }
        try notes.closeProven()
    }
}
