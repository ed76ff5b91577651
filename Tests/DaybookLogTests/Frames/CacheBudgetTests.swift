@testable import DaybookLog
import DaybookTesting
import Synchronization
import Testing

@Suite struct CacheBudgetTests {
    @Test func `a shortage takes the missing bytes from the used ones`() {
        var budget = CacheBudget(maximumBytes: 100 << 20)
        budget.adjust(usedBytes: 60 << 20, spareBytes: -(10 << 20))
        #expect(budget.bytes == 50 << 20)
        budget.adjust(usedBytes: 50 << 20, spareBytes: 0)
        #expect(budget.bytes == 50 << 20)
    }

    @Test func `a minimum remains in any shortage`() {
        var budget = CacheBudget(maximumBytes: 100 << 20)
        budget.adjust(usedBytes: 60 << 20, spareBytes: .min)
        #expect(budget.bytes == CacheBudget.minimumBytes)
        var small = CacheBudget(maximumBytes: 1000)
        small.adjust(usedBytes: 900, spareBytes: -500)
        #expect(small.bytes == 1000)
        var none = CacheBudget(maximumBytes: -1)
        none.adjust(usedBytes: 0, spareBytes: -1)
        #expect(none.bytes == 0)
    }

    @Test func `the budget grows by a quarter of the spare memory up to its maximum`() {
        var budget = CacheBudget(maximumBytes: 100 << 20)
        budget.adjust(usedBytes: 100 << 20, spareBytes: -(80 << 20))
        #expect(budget.bytes == 20 << 20)
        budget.adjust(usedBytes: 20 << 20, spareBytes: 40 << 20)
        #expect(budget.bytes == 30 << 20)
        budget.adjust(usedBytes: 20 << 20, spareBytes: .max)
        #expect(budget.bytes == 100 << 20)
    }

    /// A machine whose free memory is what the cache does not use.
    private final class Machine: Sendable {
        let spareBytes = Mutex(Int.max)
        func cache(budgetBytes: Int) -> FrameCache {
            FrameCache(budgetBytes: budgetBytes) { self.spareBytes.withLock { $0 } }
        }
    }

    private func fill(_ cache: FrameCache, _ keys: Range<UInt64>) {
        for key in keys {
            cache.insert(InflatedFrame(bytes: [UInt8](repeating: 1, count: 64 << 10)), at: key)
        }
    }

    @Test func `a cache shrinks in a shortage and grows after it`() {
        let machine = Machine()
        let cache = machine.cache(budgetBytes: 64 << 20)
        fill(cache, 0..<1024)
        let used = cache.usedBytes
        #expect(used > 56 << 20)
        machine.spareBytes.withLock { $0 = -(16 << 20) }
        cache.adjustToSpareMemory()
        #expect(cache.usedBytes <= used - 16 << 20)
        #expect(cache.usedBytes > used - 18 << 20)
        machine.spareBytes.withLock { $0 = .max }
        cache.adjustToSpareMemory()
        #expect(cache.budgetBytes == 64 << 20)
        fill(cache, 1024..<2048)
        #expect(cache.usedBytes > 56 << 20)
    }

    @Test func `a cache that grows fast looks at the memory itself`() {
        let machine = Machine()
        machine.spareBytes.withLock { $0 = -(1 << 30) }
        let cache = machine.cache(budgetBytes: 256 << 20)
        fill(cache, 0..<4096)
        #expect(cache.usedBytes <= CacheBudget.minimumBytes + 2 << 20)
    }

    @Test func `a cache looks at the memory more often as it becomes scarce`() {
        #expect(CacheBudget.adjustmentIntervalBytes(spareBytes: .min) == 2 << 20)
        #expect(CacheBudget.adjustmentIntervalBytes(spareBytes: 40 << 20) == 10 << 20)
        #expect(CacheBudget.adjustmentIntervalBytes(spareBytes: .max) == 32 << 20)
    }

    /// A machine with 100 MiB for this cache alone.
    @Test func `a cache that grows stays within the memory`() {
        let size = 100 << 20
        let cache = Mutex<FrameCache?>(nil)
        let used = { @Sendable in cache.withLock { $0 }?.usedBytes ?? 0 }
        let growing = FrameCache(budgetBytes: 1 << 30) { size - used() }
        cache.withLock { $0 = growing }
        for key in 0..<4096 {
            fill(growing, UInt64(key)..<UInt64(key + 1))
            #expect(growing.usedBytes <= size + 2 << 20)
        }
        #expect(growing.usedBytes > size / 2)
        cache.withLock { $0 = nil }
    }

    @Test func `a small cache does not ask for the memory`() {
        let asked = Mutex(0)
        let cache = FrameCache(budgetBytes: 64 << 20) {
            asked.withLock { $0 += 1 }
            return .max
        }
        fill(cache, 0..<16)
        cache.adjustToSpareMemory()
        #expect(asked.withLock { $0 } == 0)
        fill(cache, 16..<1024)
        cache.adjustToSpareMemory()
        #expect(asked.withLock { $0 } > 0)
    }
}
