internal import Synchronization

/// A byte-budgeted cache of data derived from immutable pages, for all threads. The keys are page
/// names.
///
/// A named page never changes, so an entry is never stale; a lookup finds it only while a version
/// still contains that page. Entries that no recent round has used make room for new ones. Entries
/// in use are never evicted: a scan over more pages than fit would evict each entry just before its
/// next use.
package final class DerivedPageCache: Sendable {
    package typealias Value = any (AnyObject & Sendable)

    private static let shardCount = 16
    /// The number of rounds after which an unused entry may be evicted.
    static let roundCountKept: UInt64 = 8
    /// The maximum number of entries to examine for eviction; each costs a few nanoseconds.
    private static let probeCountMax = 32
    /// The overhead of an entry in bytes.
    private static let overheadBytes = 96

    private struct Entry {
        var name: PageName
        /// Nil in a free slot.
        var value: Value?
        var byteCount: Int
        var round: UInt64
    }

    private struct Shard {
        /// The slot of the entry by page number.
        var slots: [UInt32: Int] = [:]
        var entries: [Entry] = []
        var free: [Int] = []
        var hand = 0
        var usedBytes = 0
    }

    private final class Cell: Sendable {
        let shard = Mutex(Shard())
    }

    private let cells = (0..<shardCount).map { _ in Cell() }
    private let rounds = Atomic<UInt64>(0)

    /// Starts a scan over many pages and returns its number.
    package func beginRound() -> UInt64 {
        rounds.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// The number of bytes in use, including overhead.
    package var usedBytes: Int { cells.reduce(0) { $0 + $1.shard.withLock { $0.usedBytes } } }

    private func cell(_ name: PageName) -> Cell {
        let hash = name.number &* 0x9E37_79B1
        return cells[Int(hash >> 28) & (Self.shardCount - 1)]
    }

    /// The cached value of a page. About 50 ns.
    package func value(of name: PageName, in round: UInt64) -> Value? {
        cell(name).shard.withLock { shard in
            guard let slot = shard.slots[name.number], shard.entries[slot].name == name else {
                return nil
            }
            shard.entries[slot].round = max(shard.entries[slot].round, round)
            return shard.entries[slot].value
        }
    }

    /// Caches a value for a page. Replaces the older value of the page, or of an earlier page with
    /// its number. Returns false without room; then no value is cached for the page.
    package func keep(
        _ value: Value, byteCount: Int, on name: PageName, in round: UInt64, budgetBytes: Int
    ) -> Bool {
        let byteCount = byteCount + Self.overheadBytes
        let budget = budgetBytes / Self.shardCount
        return cell(name).shard.withLock { shard in
            if let slot = shard.slots[name.number] { Self.remove(slot, &shard) }
            guard byteCount <= budget else { return false }
            var probes = min(shard.entries.count, Self.probeCountMax)
            while shard.usedBytes + byteCount > budget, probes > 0 {
                probes -= 1
                shard.hand = (shard.hand + 1) % shard.entries.count
                let entry = shard.entries[shard.hand]
                if entry.value != nil, entry.round + Self.roundCountKept < round {
                    Self.remove(shard.hand, &shard)
                }
            }
            guard shard.usedBytes + byteCount <= budget else { return false }
            let entry = Entry(name: name, value: value, byteCount: byteCount, round: round)
            let slot = shard.free.popLast() ?? shard.entries.count
            if slot == shard.entries.count {
                shard.entries.append(entry)
            } else {
                shard.entries[slot] = entry
            }
            shard.slots[name.number] = slot
            shard.usedBytes += byteCount
            return true
        }
    }

    private static func remove(_ slot: Int, _ shard: inout Shard) {
        shard.slots[shard.entries[slot].name.number] = nil
        shard.usedBytes -= shard.entries[slot].byteCount
        shard.entries[slot].value = nil
        shard.free.append(slot)
    }

    /// Removes entries until at most `budgetBytes` are in use. Returns whether it removed any.
    package func trim(toBytes budgetBytes: Int) -> Bool {
        var isAnyRemoved = false
        for cell in cells {
            cell.shard.withLock { shard in
                for slot in shard.entries.indices
                where shard.usedBytes > budgetBytes / Self.shardCount
                    && shard.entries[slot].value != nil
                {
                    Self.remove(slot, &shard)
                    isAnyRemoved = true
                }
            }
        }
        return isAnyRemoved
    }

    /// Removes all entries.
    func removeAll() { for cell in cells { cell.shard.withLock { $0 = Shard() } } }
}
