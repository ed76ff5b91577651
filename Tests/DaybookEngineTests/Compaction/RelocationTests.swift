import DaybookBytes
@testable import DaybookEngine
import DaybookTestSupport
import Synchronization
import Testing

/// How a compaction moves index entries beside writers.
@Suite struct RelocationTests {
    /// A compaction removed the entries of all tombstones in one hold of the writer's lock.
    @Test func `a hold of the writer's lock changes a limited number of entries`() throws {
        let notes = try NoteStore(MemoryFileSystem()) { $0.relocationBatchCount = 10 }
        for number in 0..<120 { try notes.put("note \(number)") }
        for id in UInt64(1)...95 { try notes.remove(id) }
        let before = notes.engine.trees.withLock { $0.stamp }
        _ = try notes.engine.compact(.latest)
        let after = notes.engine.trees.withLock { $0.stamp }
        // The commit that notes the compaction, 3 batches of 25 notes, and 10 of 95 tombstones.
        #expect(after - before == 1 + 3 + 10)
        #expect(try notes.count() == 25)
        try notes.closeProven()
    }

    /// Each batch waited for a sync, although readers may see commits before it.
    @Test(arguments: [Durability.manual, .interval(.seconds(3600))])
    func `without a sync per commit, batches do not sync`(durability: Durability) throws {
        #expect(
            try syncCount(durability, batchCount: 10)
                == syncCount(durability, batchCount: 10_000))
    }

    /// The number of syncs of a compaction beside a writer that commits during each sync.
    private func syncCount(_ durability: Durability, batchCount: Int) throws -> Int {
        let disk = HookedDisk(MemoryFileSystem())
        let notes = try NoteStore(disk) {
            $0.durability = durability
            $0.relocationBatchCount = batchCount
        }
        for number in 0..<120 { try notes.put("note \(number)") }
        for id in UInt64(1)...95 { try notes.remove(id) }
        let count = Mutex(0)
        // The sync of the commit that notes the compaction is the first one of the active segment
        // that no lock of the writer surrounds.
        disk.afterSync.withLock {
            $0 = {
                count.withLock { $0 += 1 }
                _ = notes.engine.writer.withLockIfAvailable { _ in true }
                    .map { _ in try? notes.put("during a sync") }
            }
        }
        let sequence = notes.engine.log.lastSequence
        _ = try notes.engine.compact(.latest)
        disk.afterSync.withLock { $0 = nil }
        #expect(notes.engine.log.lastSequence > sequence + 1)
        try notes.closeProven()
        return count.withLock { $0 }
    }
}

/// A file system that calls a function after each sync of a file.
private final class HookedDisk: ForwardingFileSystem {
    let base: any FileSystem
    let afterSync = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ base: any FileSystem) { self.base = base }

    func open(_ path: String, _ mode: FileMode) throws(DaybookError) -> any File {
        HookedFile(try base.open(path, mode), self)
    }

    private final class HookedFile: ForwardingFile {
        let base: any File
        private let disk: HookedDisk

        init(_ base: any File, _ disk: HookedDisk) {
            self.base = base
            self.disk = disk
        }

        func sync() throws(DaybookError) {
            try base.sync()
            disk.afterSync.withLock { $0 }?()
        }
    }
}
