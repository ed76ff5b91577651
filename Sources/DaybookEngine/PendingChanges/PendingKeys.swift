import DaybookBytes

/// The keys that a running transaction has given to objects in one index, for its queries.
///
/// A transaction that puts many objects and queries after each one must not examine all of them
/// every time. Keys that an object has lost stay, so the caller must check the objects.
struct PendingKeys {
    private struct Entry {
        let key: [UInt8]
        let id: UInt64
    }

    /// The number of the transaction's operations that are included.
    private(set) var operationCount = 0
    /// Ordered by key.
    private var sorted: [Entry] = []
    /// Newer entries, too few to be worth sorting.
    private var recent: [Entry] = []

    mutating func add(_ key: [UInt8], _ id: UInt64) { recent.append(Entry(key: key, id: id)) }

    /// Records that the keys of the transaction's first operations are included. Cost: O(entries)
    /// after some hundreds of new keys, so little per key.
    mutating func catchUp(with operationCount: Int) {
        self.operationCount = operationCount
        guard recent.count > max(128, sorted.count / 256) else { return }
        recent.sort { $0.key.lexicographicallyPrecedes($1.key) }
        var merged: [Entry] = []
        merged.reserveCapacity(sorted.count + recent.count)
        var next = 0
        for entry in recent {
            while next < sorted.count, !entry.key.lexicographicallyPrecedes(sorted[next].key) {
                merged.append(sorted[next])
                next += 1
            }
            merged.append(entry)
        }
        merged += sorted[next...]
        sorted = merged
        recent = []
    }

    /// The objects that have or had keys in `lower..<upper`. Cost: a binary search, and a
    /// comparison with some hundreds of recent keys.
    func ids(from lower: [UInt8], before upper: [UInt8]?) -> [UInt64] {
        func isBefore(_ key: [UInt8]) -> Bool {
            upper.map { key.lexicographicallyPrecedes($0) } ?? true
        }
        let first = sorted.partitioningIndex { !$0.key.lexicographicallyPrecedes(lower) }
        var ids = sorted[first...].prefix { isBefore($0.key) }.map(\.id)
        for entry in recent
        where !entry.key.lexicographicallyPrecedes(lower) && isBefore(entry.key) {
            ids.append(entry.id)
        }
        return ids
    }
}
