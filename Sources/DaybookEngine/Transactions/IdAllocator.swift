import Synchronization

/// The next id of each entity in this process. No id is assigned twice, even if the transaction
/// that assigned it was rolled back, because the caller may still hold it.
///
/// Transactions take ids in ranges and give back the unused rest, so that ids can also be reserved
/// while a transaction runs.
final class IdAllocator: Sendable {
    private let nextIds = Mutex<[UInt32: UInt64]>([:])

    /// The first id of an entity that is not taken; 1 for an entity that no transaction used.
    func next(_ entity: UInt32) -> UInt64 { nextIds.withLock { $0[entity] ?? 1 } }

    /// Takes up to `count` ids, all of them at least `first`. The range is empty after the last id.
    func take(_ entity: UInt32, _ count: UInt64, from first: UInt64) -> Range<UInt64> {
        nextIds.withLock { nextIds in
            let start = max(nextIds[entity] ?? 1, first)
            let (end, isOver) = start.addingReportingOverflow(count)
            let last = isOver ? UInt64.max : min(end, WriteTransaction.idMax + 1)
            let taken = start..<max(start, last)
            nextIds[entity] = taken.upperBound
            return taken
        }
    }

    /// Notes that all ids below `next` are taken.
    func skip(_ entity: UInt32, to next: UInt64) {
        nextIds.withLock { $0[entity] = max($0[entity] ?? 1, next) }
    }

    /// Gives the end of a taken range back. Without effect if higher ids were taken since.
    func giveBack(_ entity: UInt32, _ unused: Range<UInt64>) {
        guard !unused.isEmpty else { return }
        nextIds.withLock { nextIds in
            guard nextIds[entity] == unused.upperBound else { return }
            nextIds[entity] = unused.lowerBound
        }
    }
}
