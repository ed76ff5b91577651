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
        let notes = slot.current.notes
        log.cache.adjustToSpareMemory(otherBytes: notes.usedBytes)
        if notes.trim(toBytes: Self.noteBudgetBytes(log.cache)) {
            SpareMemory.releaseFreedMemory()
        }
    }
}
