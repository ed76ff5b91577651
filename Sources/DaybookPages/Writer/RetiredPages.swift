/// Pages that the newest state does not reach, but that pinned or pinnable versions still reach.
///
/// A page created in transaction *b* and retired in *r* belongs to the versions *b* ..< *r*. It can
/// be freed when *r* is published (later pins have *r* or newer) and no pin is in *b* ..< *r*. So a
/// long read retains only the pages of its own version.
struct RetiredPages {
    struct Entry {
        var page: UInt32
        var birth: UInt64
        var retired: UInt64
    }

    /// In order of retirement; entries before `head` are processed.
    private var queue: [Entry] = []
    private var head = 0
    /// Pages that a pin needs, by the newest pin that needs them.
    private var held: [UInt64: [Entry]] = [:]
    private var heldCount = 0
    private var pins: [UInt64] = []
    private var waitedCount = 0

    var count: Int { queue.count - head + heldCount }

    @inline(__always)
    mutating func append(_ page: UInt32, birth: UInt64, retired: UInt64) {
        queue.append(Entry(page: page, birth: birth, retired: retired))
    }

    /// Whether examining all readers is worth its 100 ns: many pages are queued, or pages are held
    /// and the readers were not examined for some transactions.
    mutating func isDue() -> Bool {
        waitedCount += 1
        guard queue.count - head >= 64 || (heldCount > 0 && waitedCount >= 16) else { return false }
        waitedCount = 0
        return true
    }

    /// Passes every unreachable page to `free`.
    mutating func reclaim(_ readers: ReaderRegistry, _ free: (UInt32) -> Void) {
        let published = readers.look(into: &pins)
        releaseHeld(free)
        while head < queue.count, queue[head].retired <= published {
            settle(queue[head], free)
            head += 1
        }
        if head == queue.count {
            queue.removeAll(keepingCapacity: head < 1 << 16)
            head = 0
        } else if head > queue.count / 2 {
            queue.removeFirst(head)
            head = 0
        }
    }

    /// Examines the pages again whose pin ended.
    private mutating func releaseHeld(_ free: (UInt32) -> Void) {
        guard heldCount > 0 else { return }
        for pin in Array(held.keys) where newestPin(below: pin &+ 1) != pin {
            let entries = held.removeValue(forKey: pin) ?? []
            heldCount -= entries.count
            for entry in entries { settle(entry, free) }
        }
    }

    @inline(__always)
    private mutating func settle(_ entry: Entry, _ free: (UInt32) -> Void) {
        if let pin = newestPin(below: entry.retired), pin >= entry.birth {
            held[pin, default: []].append(entry)
            heldCount += 1
        } else {
            free(entry.page)
        }
    }

    @inline(__always)
    private func newestPin(below sequence: UInt64) -> UInt64? {
        var index = pins.count
        while index > 0 && pins[index - 1] >= sequence { index -= 1 }
        return index > 0 ? pins[index - 1] : nil
    }
}
