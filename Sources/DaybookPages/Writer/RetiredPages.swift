/// Pages that the newest state reaches no longer, but versions that are or can be pinned still do.
///
/// A page that was born in transaction *b* and retired in *r* belongs to the versions *b* ..< *r*.
/// It is free once *r* is published (for who pins from then on gets *r* or newer) and no pin lies
/// in *b* ..< *r*. So a long read holds the pages of its own version and nothing of what comes and
/// goes after it.
struct RetiredPages {
    struct Entry {
        var page: UInt32
        var birth: UInt64
        var retired: UInt64
    }

    /// In the order of retirement; those before `head` are done with.
    private var queue: [Entry] = []
    private var head = 0
    /// What a pin still needs, under the newest pin that needs it.
    private var held: [UInt64: [Entry]] = [:]
    private var heldCount = 0
    private var pins: [UInt64] = []
    private var waitedCount = 0

    var count: Int { queue.count - head + heldCount }

    @inline(__always)
    mutating func append(_ page: UInt32, birth: UInt64, retired: UInt64) {
        queue.append(Entry(page: page, birth: birth, retired: retired))
    }

    /// Whether so much waits that looking at all readers is worth its 100 ns, or something is held
    /// and nobody looked for some transactions.
    mutating func isDue() -> Bool {
        waitedCount += 1
        guard queue.count - head >= 64 || (heldCount > 0 && waitedCount >= 16) else { return false }
        waitedCount = 0
        return true
    }

    /// Hands every page to `free` that nobody can reach any more.
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

    /// Looks again at the pages whose pin is gone.
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
