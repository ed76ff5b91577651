import DaybookBytes
@testable import DaybookEngine
@testable import DaybookPages
import DaybookRecords
import DaybookTesting
import DaybookTestSupport
import Synchronization
import Testing

/// The caches of a store while memory is scarce.
@Suite struct CacheMemoryTests {
    private final class Note: Sendable {}

    @Test func `all caches of a store shrink in a shortage, and reads give the same results`()
        throws
    {
        let spareBytes = SpareBytes()
        let store = try NoteStore(MemoryFileSystem()) {
            $0.log.frameCacheBudgetBytes = 64 << 20
            $0.log.spareMemory = { spareBytes.value.withLock { $0 } }
        }
        let texts = (0..<240).map { number in
            String(repeating: "\(number % 10)", count: 64 << 10)
        }
        for text in texts { try store.put(text) }
        func readAll() throws {
            for (index, text) in texts.enumerated() {
                #expect(try store.text(UInt64(index) + 1) == text)
            }
        }
        try readAll()
        let cache = store.engine.log.cache
        #expect(cache.usedBytes > 12 << 20)
        let notes = store.engine.slot.current.notes
        try store.engine.view().withTrees { reader throws(DaybookError) in
            var walk = try reader.leaves(IndexTree.objects(of: store.entity))
            while let leaf = try walk.nextLeaf() {
                #expect(
                    notes.keep(
                        Note(), byteCount: 3 << 20, on: leaf.name, in: notes.beginRound(),
                        budgetBytes: 1 << 30))
            }
        }
        #expect(notes.usedBytes > 3 << 20)

        spareBytes.value.withLock { $0 = -(1 << 30) }
        store.engine.adjustCachesToSpareMemory()
        #expect(cache.usedBytes <= 8 << 20)
        #expect(notes.usedBytes == 0)
        try readAll()
        #expect(cache.usedBytes <= 8 << 20)

        spareBytes.value.withLock { $0 = .max }
        store.engine.adjustCachesToSpareMemory()
        try readAll()
        #expect(cache.usedBytes > 12 << 20)
        try store.engine.close()
    }

    @Test(.timeLimit(.minutes(30)))
    func `the caches of an idle store shrink by themselves`() async throws {
        let spareBytes = SpareBytes()
        let store = try NoteStore(MemoryFileSystem()) {
            $0.log.frameCacheBudgetBytes = 64 << 20
            $0.log.spareMemory = { spareBytes.value.withLock { $0 } }
        }
        for _ in 0..<240 { try store.put(String(repeating: "a", count: 64 << 10)) }
        let cache = store.engine.log.cache
        #expect(cache.usedBytes > 12 << 20)
        spareBytes.value.withLock { $0 = -(1 << 30) }
        while cache.usedBytes > 8 << 20 { try await Task.sleep(for: .milliseconds(50)) }
        #expect(cache.usedBytes > 0)
        try store.engine.close()
    }
}

private final class SpareBytes: Sendable {
    let value = Mutex(Int.max)
}
