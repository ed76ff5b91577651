import DaybookBytes
import DaybookLog
import DaybookPages

// Keeps the caches within the memory that the system can spare.
extension Engine {
    /// A cache that nobody uses shrinks this soon after memory became scarce; a cache that grows
    /// looks at the memory itself.
    static let cacheAdjustmentIntervalMilliseconds = 2_000

    /// The budget of the copied columns: a quarter of the budget of the frames.
    static func noteBudgetBytes(_ cache: FrameCache) -> Int { cache.budgetBytes / 4 }

    /// Shrinks the caches in a shortage of memory, and lets them grow again after it. Takes some
    /// 50 µs if the caches contain more than some MiB.
    func adjustCachesToSpareMemory() {
        let (notes, vectors) = (slot.current.notes, slot.current.vectors)
        log.cache.adjustToSpareMemory(otherBytes: notes.usedBytes + vectors.usedBytes)
        let budgetBytes = Self.noteBudgetBytes(log.cache)
        let isAnyRemoved = notes.trim(toBytes: budgetBytes)
        if vectors.trim(toBytes: budgetBytes) || isAnyRemoved { SpareMemory.releaseFreedMemory() }
    }
}
