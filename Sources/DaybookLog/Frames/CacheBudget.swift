/// The budget of a cache, which shrinks while memory is scarce.
///
/// A shortage takes the missing bytes from the cache. When memory is available again, the budget
/// grows by a quarter of the spare memory at a time, so that the growth slows down before the next
/// shortage.
struct CacheBudget {
    /// The budget while memory is available.
    let maximumBytes: Int
    private(set) var bytes: Int

    /// The budget that remains in any shortage: a cache of some frames costs little, and without it
    /// each get would decompress a block.
    static let minimumBytes = 8 << 20

    /// The bytes that a cache may insert before it looks at the memory again: a quarter of the
    /// spare memory, from 2 to 32 MiB. So a cache that grows looks more often as memory becomes
    /// scarce.
    static func adjustmentIntervalBytes(spareBytes: Int) -> Int {
        min(max(spareBytes / 4, 2 << 20), 32 << 20)
    }

    init(maximumBytes: Int) {
        self.maximumBytes = max(0, maximumBytes)
        bytes = self.maximumBytes
    }

    /// Adjusts the budget to the spare memory, which is negative in a shortage.
    mutating func adjust(usedBytes: Int, spareBytes: Int) {
        guard spareBytes < 0 else {
            bytes += min(maximumBytes - bytes, spareBytes / 4)
            return
        }
        let (rest, isBelowZero) = min(bytes, usedBytes).addingReportingOverflow(spareBytes)
        bytes = max(min(maximumBytes, Self.minimumBytes), isBelowZero ? 0 : rest)
    }
}
