internal import Synchronization

/// What somebody has worked out of pages, kept under their names: up to a budget in bytes, from any
/// thread.
///
/// A page that has a name never changes, so a note is never wrong; it is found only where a version
/// still has that very page. Notes that no round has asked for in a while make room for others; one
/// in use never does, for whoever goes through more pages than there is room for would lose each
/// note just before it is asked for again.
package final class PageNotes: Sendable {
    package typealias Note = any (AnyObject & Sendable)

    private static let shardCount = 16
    /// How many rounds a note is kept that none of them asks for.
    static let roundCountKept: UInt64 = 8
    /// How many notes are looked at to find room for one: each costs but a few nanoseconds.
    private static let lookCountMax = 32
    /// What a note costs beside its own bytes.
    private static let overheadBytes = 96

    private struct Entry {
        var name: PageName
        /// Nil in a place that is free.
        var note: Note?
        var byteCount: Int
        var round: UInt64
    }

    private struct Shard {
        /// Where the note of a page number is among the entries.
        var places: [UInt32: Int] = [:]
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

    /// Begins a look at many pages, and returns its number.
    package func beginRound() -> UInt64 {
        rounds.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// How many bytes are held, the bookkeeping included.
    package var usedBytes: Int { cells.reduce(0) { $0 + $1.shard.withLock { $0.usedBytes } } }

    private func cell(_ name: PageName) -> Cell {
        let hash = name.number &* 0x9E37_79B1
        return cells[Int(hash >> 28) & (Self.shardCount - 1)]
    }

    /// The note on a page, if there is one. Some 50 ns.
    package func note(on name: PageName, in round: UInt64) -> Note? {
        cell(name).shard.withLock { shard in
            guard let place = shard.places[name.number], shard.entries[place].name == name else {
                return nil
            }
            shard.entries[place].round = max(shard.entries[place].round, round)
            return shard.entries[place].note
        }
    }

    /// Keeps a note on a page in place of what was noted of it, and of a page of its number that is
    /// gone. False where there is no room: then there is no note on the page.
    package func keep(
        _ note: Note, byteCount: Int, on name: PageName, in round: UInt64, budgetBytes: Int
    ) -> Bool {
        let byteCount = byteCount + Self.overheadBytes
        let budget = budgetBytes / Self.shardCount
        return cell(name).shard.withLock { shard in
            if let place = shard.places[name.number] { Self.remove(place, &shard) }
            guard byteCount <= budget else { return false }
            var looks = min(shard.entries.count, Self.lookCountMax)
            while shard.usedBytes + byteCount > budget, looks > 0 {
                looks -= 1
                shard.hand = (shard.hand + 1) % shard.entries.count
                let entry = shard.entries[shard.hand]
                if entry.note != nil, entry.round + Self.roundCountKept < round {
                    Self.remove(shard.hand, &shard)
                }
            }
            guard shard.usedBytes + byteCount <= budget else { return false }
            let entry = Entry(name: name, note: note, byteCount: byteCount, round: round)
            let place = shard.free.popLast() ?? shard.entries.count
            if place == shard.entries.count {
                shard.entries.append(entry)
            } else {
                shard.entries[place] = entry
            }
            shard.places[name.number] = place
            shard.usedBytes += byteCount
            return true
        }
    }

    private static func remove(_ place: Int, _ shard: inout Shard) {
        shard.places[shard.entries[place].name.number] = nil
        shard.usedBytes -= shard.entries[place].byteCount
        shard.entries[place].note = nil
        shard.free.append(place)
    }

    /// Lets go of all notes.
    func removeAll() { for cell in cells { cell.shard.withLock { $0 = Shard() } } }
}
