/// Sorts objects by key; ties are in the order of their ids. With a limit, only the first objects
/// are held.
struct RowSort {
    struct Entry {
        var key: [UInt8]
        var id: UInt64

        func isBehind(_ other: Entry) -> Bool {
            if key == other.key { return id > other.id }
            return key.isBehind(other.key)
        }
    }

    /// The number of objects to keep.
    private let limit: Int
    /// With a limit, a heap with the last entry on top.
    private var entries: [Entry] = []

    init(limit: Int?) { self.limit = limit ?? .max }

    var isFull: Bool { entries.count >= limit }

    /// Whether no entry after `last` can be among the first. Entries must arrive in the order of
    /// their keys; `tiesAreInOrder` says whether ties arrive in the order of their ids.
    func isClosed(to last: Entry, tiesAreInOrder: Bool) -> Bool {
        guard isFull, let top = entries.first else { return isFull }
        return tiesAreInOrder ? !top.isBehind(last) : last.key.isBehind(top.key)
    }

    mutating func insert(_ key: [UInt8], _ id: UInt64) {
        guard limit < .max else { return entries.append(Entry(key: key, id: id)) }
        guard limit > 0 else { return }
        let entry = Entry(key: key, id: id)
        if entries.count < limit {
            entries.append(entry)
            rise()
        } else if entries[0].isBehind(entry) {
            entries[0] = entry
            sink()
        }
    }

    /// Inserts all entries of another sort.
    mutating func insert(_ other: RowSort) {
        for entry in other.entries { insert(entry.key, entry.id) }
    }

    /// The ids in order.
    consuming func ids() -> [UInt64] {
        entries.sort { $1.isBehind($0) }
        return entries.map(\.id)
    }

    private mutating func rise() {
        var place = entries.count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            guard entries[place].isBehind(entries[parent]) else { return }
            entries.swapAt(place, parent)
            place = parent
        }
    }

    private mutating func sink() {
        var place = 0
        while true {
            var child = place * 2 + 1
            guard child < entries.count else { return }
            if child + 1 < entries.count, entries[child + 1].isBehind(entries[child]) { child += 1 }
            guard entries[child].isBehind(entries[place]) else { return }
            entries.swapAt(place, child)
            place = child
        }
    }
}
