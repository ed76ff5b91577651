/// The nearest candidates of a search, nearest first, and whether their neighbours were visited.
/// The slots decide between equal distances.
@safe
struct CandidatePool: ~Copyable {
    @safe
    private struct Entry: BitwiseCopyable {
        var distance: Float
        /// The slot, and the highest bit for a candidate whose neighbours were visited.
        var word: UInt64

        @inline(__always) var slot: UInt64 { word & ~CandidatePool.expanded }
        @inline(__always) var isExpanded: Bool { word & CandidatePool.expanded != 0 }
    }

    private static let expanded: UInt64 = 1 << 63
    private static let capacityMax = 1024

    private let width: Int
    private(set) var count = 0
    private var capacity: Int
    private var entries: UnsafeMutablePointer<Entry>
    /// No candidate before this place is unexpanded.
    private var first = 0

    /// Creates an empty pool for up to `width` candidates, at least one.
    init(width: Int) {
        self.width = max(width, 1)
        capacity = min(self.width, Self.capacityMax)
        // SAFETY: only elements before `count` are read, which `add` has initialized.
        unsafe entries = .allocate(capacity: capacity)
    }

    deinit {
        // SAFETY: this value allocated the memory, and nothing refers to it any longer.
        unsafe entries.deallocate()
    }

    /// The candidate at a place, which is below ``count``.
    subscript(place: Int) -> (slot: UInt64, distance: Float) {
        precondition(place >= 0 && place < count, "no such candidate")
        // SAFETY: the precondition above.
        let entry = unsafe entries[place]
        return (entry.slot, entry.distance)
    }

    /// The nearest candidate whose neighbours were not visited; marks it as visited.
    mutating func next() -> UInt64? {
        guard let place = unexpanded else { return nil }
        first = place
        // SAFETY: `unexpanded` is below `count`.
        let slot = unsafe entries[place].slot
        unsafe entries[place].word |= Self.expanded
        return slot
    }

    /// The candidate that ``next()`` returns if no nearer one is added.
    var following: UInt64? {
        // SAFETY: `unexpanded` is below `count`.
        unexpanded.map { unsafe entries[$0].slot }
    }

    /// The place of the nearest candidate whose neighbours were not visited.
    private var unexpanded: Int? {
        var place = first
        // SAFETY: `place` is below `count`.
        while place < count, unsafe entries[place].isExpanded { place += 1 }
        return place < count ? place : nil
    }

    /// Adds a candidate if it is among the nearest. `slot` is not in the pool and below 2^63.
    @inline(__always)
    mutating func add(_ slot: UInt64, _ distance: Float) {
        if count == width {
            // SAFETY: `width` is at least 1, so there is a last candidate.
            let last = unsafe entries[width - 1]
            guard Self.isNearer(distance, slot, than: last) else { return }
        }
        insert(slot, distance)
    }

    private mutating func insert(_ slot: UInt64, _ distance: Float) {
        if count < width {
            if count == capacity { grow() }
            count += 1
        }
        // The last place is free, or its candidate leaves the pool.
        var (low, high) = (0, count - 1)
        // SAFETY: `middle` and `low` are below `count`, at most the capacity.
        while low < high {
            let middle = (low + high) / 2
            if unsafe Self.isNearer(distance, slot, than: entries[middle]) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        unsafe (entries + low + 1).update(from: entries + low, count: count - 1 - low)
        unsafe entries[low] = Entry(distance: distance, word: slot)
        first = min(first, low)
    }

    @inline(__always)
    private static func isNearer(_ distance: Float, _ slot: UInt64, than other: Entry) -> Bool {
        distance < other.distance || (distance == other.distance && slot < other.slot)
    }

    private mutating func grow() {
        // SAFETY: the new memory has room for all `count` entries, which are copied.
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: 2 * capacity)
        unsafe larger.update(from: entries, count: count)
        unsafe entries.deallocate()
        unsafe entries = larger
        capacity *= 2
    }
}
