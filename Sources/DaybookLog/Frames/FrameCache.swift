import DaybookBytes
import Synchronization

/// A byte-budgeted cache of frames by location, with second-chance eviction. Frames are
/// decompressed. Packed frames are decoded only if there is room: see ``CachedFrame``.
///
/// A caller that has read a frame asks ``admits(_:)`` before it inserts it, so that frames that are
/// read once do not replace others. The cache is sharded to reduce lock contention. A frame above
/// the budget of a shard is returned but not cached. The budget shrinks while memory is scarce: see
/// ``CacheBudget``.
package final class FrameCache: Sendable {
    private static let shardCount = 16
    /// The overhead of an entry in bytes: the array's header and its rounding by malloc (64), the
    /// entry in a buffer that may be half empty (48), at most four slots and two marks (24),
    /// and its place among the free entries (8).
    static let overheadBytes = 64 + 2 * MemoryLayout<Entry>.stride + 24 + 8

    struct Entry {
        /// The frame's location; ``vacantKey`` in a free entry.
        var key: UInt64
        var frame: CachedFrame
        var wasUsed: Bool
    }

    private struct Shard {
        // Open addressing: a slot contains the index of an entry plus one; 0 is empty.
        var slots = [UInt32](repeating: 0, count: 64)
        var entries: [Entry] = []
        var free: [Int] = []
        var live = 0
        var hand = 0
        var usedBytes = 0
        /// Marks of frames that were read and not cached; a later frame overwrites the mark at its
        /// place. There are half as many as slots.
        var marks = [UInt32](repeating: 0, count: 32)
        var hitCount = 0
        var missCount = 0
    }

    private final class Cell: Sendable {
        let shard = Mutex(Shard())
    }

    private let cells: [Cell]
    private let budget: Mutex<CacheBudget>
    private let shardBudgetBytes: Atomic<Int>
    private let spareMemory: @Sendable () -> Int
    /// The bytes that may still be inserted before the budget is adjusted.
    private let insertableBytes = Atomic<Int>(CacheBudget.adjustmentIntervalBytes(spareBytes: 0))

    /// - Parameter spareMemory: returns the memory that caches may take, negative in a shortage.
    package init(
        budgetBytes: Int, spareMemory: @escaping @Sendable () -> Int = { SpareMemory.bytes }
    ) {
        cells = (0..<Self.shardCount).map { _ in Cell() }
        let budget = CacheBudget(maximumBytes: budgetBytes)
        shardBudgetBytes = Atomic(budget.bytes / Self.shardCount)
        self.budget = Mutex(budget)
        self.spareMemory = spareMemory
    }

    /// The present budget in bytes: the one of the initializer, or less while memory is scarce.
    package var budgetBytes: Int { shardBudgetBytes.load(ordering: .relaxed) * Self.shardCount }

    /// Adjusts the budget to the spare memory. In a shortage, evicts frames and returns their
    /// memory to the system. Does nothing while another thread adjusts the budget, or if the cache
    /// is small.
    ///
    /// - Parameter otherBytes: the memory of caches whose size follows from this budget.
    package func adjustToSpareMemory(otherBytes: Int = 0) {
        let shortInterval = CacheBudget.adjustmentIntervalBytes(spareBytes: 0)
        insertableBytes.store(shortInterval, ordering: .relaxed)
        let isShrunk = budget.withLockIfAvailable { budget in
            guard
                usedBytes + otherBytes > CacheBudget.minimumBytes
                    || budget.bytes < budget.maximumBytes
            else { return false }
            let spareBytes = spareMemory()
            insertableBytes.store(
                CacheBudget.adjustmentIntervalBytes(spareBytes: spareBytes), ordering: .relaxed)
            budget.adjust(usedBytes: usedBytes, spareBytes: spareBytes)
            shardBudgetBytes.store(budget.bytes / Self.shardCount, ordering: .relaxed)
            return evictBeyondBudget()
        }
        if isShrunk == true { SpareMemory.releaseFreedMemory() }
    }

    /// Returns whether a frame was evicted.
    private func evictBeyondBudget() -> Bool {
        var isAnyEvicted = false
        let shardBudgetBytes = shardBudgetBytes.load(ordering: .relaxed)
        for cell in cells {
            cell.shard.withLock { shard in
                while shard.usedBytes > shardBudgetBytes {
                    Self.evictOne(&shard)
                    isAnyEvicted = true
                }
            }
        }
        return isAnyEvicted
    }

    /// The number of bytes in use, including overhead.
    package var usedBytes: Int { cells.reduce(0) { $0 + $1.shard.withLock { $0.usedBytes } } }

    /// The number of lookups that found a frame, and of lookups that found none.
    package var lookupCounts: (hits: Int, misses: Int) {
        cells.reduce((0, 0)) { counts, cell in
            let (hits, misses) = cell.shard.withLock { ($0.hitCount, $0.missCount) }
            return (counts.0 + hits, counts.1 + misses)
        }
    }

    /// The cached frame at `key`.
    func find(_ key: UInt64) -> CachedFrame? {
        let hash = Self.mix(key)
        return cells[Int(hash & UInt64(Self.shardCount - 1))].shard.withLock { shard in
            guard let place = Self.place(of: key, hash, in: shard) else {
                shard.missCount &+= 1
                return nil
            }
            shard.hitCount &+= 1
            shard.entries[place].wasUsed = true
            return shard.entries[place].frame
        }
    }

    /// Whether a frame that was read should be cached: if the cache has room for a frame of average
    /// length, or if the frame was read before, about as recently as the frames in the cache. So a
    /// scan, and random reads of many more frames than fit, do not replace the frames in the cache.
    ///
    /// Remembers a frame that is not admitted. A doorkeeper, after G. Einziger, R. Friedman and
    /// B. Manes, "TinyLFU: A Highly Efficient Cache Admission Policy", ACM Transactions on Storage
    /// 13 (2017), section 3.4.2, with marks that overwrite each other in place of a Bloom filter
    /// that is cleared.
    func admits(_ key: UInt64) -> Bool {
        let shardBudgetBytes = shardBudgetBytes.load(ordering: .relaxed)
        let hash = Self.mix(key)
        return cells[Int(hash & UInt64(Self.shardCount - 1))].shard.withLock { shard in
            let averageBytes = shard.usedBytes / max(1, shard.live)
            if shard.usedBytes + averageBytes < shardBudgetBytes { return true }
            let place = Int(hash >> 8) & (shard.marks.count - 1)
            // The lowest bit differs from that of an empty place.
            let mark = UInt32(truncatingIfNeeded: hash >> 32) | 1
            guard shard.marks[place] != mark else { return true }
            shard.marks[place] = mark
            return false
        }
    }

    /// Whether there is room for a decoded frame of `length` bytes without evicting others: an
    /// eighth of the budget stays free for frames that are not in the cache.
    func hasRoom(for length: Int, at key: UInt64) -> Bool {
        let shardBudgetBytes = shardBudgetBytes.load(ordering: .relaxed)
        let hash = Self.mix(key)
        return cells[Int(hash & UInt64(Self.shardCount - 1))].shard.withLock { shard in
            shard.usedBytes + length + Self.overheadBytes <= shardBudgetBytes / 8 * 7
        }
    }

    /// Caches a decompressed frame and evicts others until the budget holds.
    func insert(_ frame: InflatedFrame, at key: UInt64) { insert(.inflated(frame), at: key) }

    /// Caches a frame and evicts others until the budget holds. A decoded frame replaces the packed
    /// form of it.
    func insert(_ frame: CachedFrame, at key: UInt64) {
        let bytes = Self.cost(of: frame)
        let insertable = insertableBytes.wrappingSubtract(bytes, ordering: .relaxed).newValue
        if insertable <= 0 { adjustToSpareMemory() }
        let shardBudgetBytes = shardBudgetBytes.load(ordering: .relaxed)
        guard bytes <= shardBudgetBytes else { return }
        let hash = Self.mix(key)
        cells[Int(hash & UInt64(Self.shardCount - 1))].shard.withLock { shard in
            if let place = Self.place(of: key, hash, in: shard) {
                guard case .packed = shard.entries[place].frame else { return }
                Self.evict(place, &shard)
            }
            while shard.usedBytes + bytes > shardBudgetBytes { Self.evictOne(&shard) }
            if (shard.live + 1) * 2 > shard.slots.count { Self.grow(&shard) }
            let entry = Entry(key: key, frame: frame, wasUsed: false)
            let place: Int
            if let free = shard.free.popLast() {
                shard.entries[free] = entry
                place = free
            } else {
                shard.entries.append(entry)
                place = shard.entries.count - 1
            }
            shard.live += 1
            shard.usedBytes += bytes
            Self.occupy(place, hash, in: &shard)
        }
    }

    /// The bytes of memory that a cached frame takes.
    static func cost(of frame: CachedFrame) -> Int { frame.memoryBytes + overheadBytes }

    /// A value that no packed location has.
    private static let vacantKey = UInt64.max

    /// Removes the frames of all segments with that slot. Cost: a look at each entry.
    func removeFrames(inSlot slot: UInt32) {
        for cell in cells {
            cell.shard.withLock { shard in
                for place in shard.entries.indices {
                    let key = shard.entries[place].key
                    guard key != Self.vacantKey, Location.slot(ofFrameKey: key) == slot else {
                        continue
                    }
                    Self.evict(place, &shard)
                }
            }
        }
    }

    private static func evictOne(_ shard: inout Shard) {
        while true {
            shard.hand = (shard.hand + 1) % shard.entries.count
            let entry = shard.entries[shard.hand]
            if entry.key == vacantKey { continue }
            guard entry.wasUsed else { return evict(shard.hand, &shard) }
            shard.entries[shard.hand].wasUsed = false
        }
    }

    private static func evict(_ place: Int, _ shard: inout Shard) {
        let entry = shard.entries[place]
        release(place, mix(entry.key), in: &shard)
        shard.usedBytes -= cost(of: entry.frame)
        shard.live -= 1
        shard.entries[place] = Entry(
            key: vacantKey, frame: .inflated(InflatedFrame(bytes: [])), wasUsed: false)
        shard.free.append(place)
    }

    private static func place(of key: UInt64, _ hash: UInt64, in shard: borrowing Shard) -> Int? {
        let mask = shard.slots.count - 1
        var slot = Int(hash >> 8) & mask
        while shard.slots[slot] != 0 {
            let place = Int(shard.slots[slot]) - 1
            if shard.entries[place].key == key { return place }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private static func occupy(_ place: Int, _ hash: UInt64, in shard: inout Shard) {
        let mask = shard.slots.count - 1
        var slot = Int(hash >> 8) & mask
        while shard.slots[slot] != 0 { slot = (slot + 1) & mask }
        shard.slots[slot] = UInt32(place + 1)
    }

    /// Empties a slot and moves later entries of the same run back, so that lookups still find
    /// them.
    private static func release(_ place: Int, _ hash: UInt64, in shard: inout Shard) {
        let mask = shard.slots.count - 1
        var hole = Int(hash >> 8) & mask
        while shard.slots[hole] != UInt32(place + 1) { hole = (hole + 1) & mask }
        var next = (hole + 1) & mask
        while shard.slots[next] != 0 {
            let home = Int(mix(shard.entries[Int(shard.slots[next]) - 1].key) >> 8) & mask
            if (next &- home) & mask >= (next &- hole) & mask {
                shard.slots[hole] = shard.slots[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        shard.slots[hole] = 0
    }

    private static func grow(_ shard: inout Shard) {
        shard.slots = [UInt32](repeating: 0, count: shard.slots.count * 2)
        shard.marks = [UInt32](repeating: 0, count: shard.slots.count / 2)
        for (place, entry) in shard.entries.enumerated() where entry.key != vacantKey {
            occupy(place, mix(entry.key), in: &shard)
        }
    }

    private static func mix(_ key: UInt64) -> UInt64 {
        var hash = key &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 32
        hash = hash &* 0xD6E8_FEB8_6659_FD93
        return hash ^ (hash >> 29)
    }
}
