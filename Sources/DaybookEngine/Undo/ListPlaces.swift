import DaybookBytes
import DaybookRecords

/// The positions of the lists that get elements back. Caches them, so that each list is read once.
struct ListPlaces {
    private var taken: [UndoHistory.Source: Set<[UInt8]>] = [:]
    /// The sorted positions; only of lists in which a restored position was taken by another
    /// element.
    private var sorted: [UndoHistory.Source: [[UInt8]]] = [:]

    /// Whether the positions of a list are known.
    func knows(_ source: UndoHistory.Source) -> Bool { taken[source] != nil }

    mutating func note(_ positions: [[UInt8]], of source: UndoHistory.Source) {
        taken[source] = Set(positions)
    }

    func isFree(_ position: [UInt8], of source: UndoHistory.Source) -> Bool {
        !(taken[source]?.contains(position) ?? false)
    }

    /// Takes a free position.
    mutating func take(_ position: [UInt8], of source: UndoHistory.Source) {
        taken[source]?.insert(position)
        let index = sorted[source]?.partitioningIndex { position.lexicographicallyPrecedes($0) }
        if let index { sorted[source]?.insert(position, at: index) }
    }

    /// Takes and returns a free position right after a taken one.
    mutating func take(behind position: [UInt8], of source: UndoHistory.Source) -> [UInt8] {
        if sorted[source] == nil {
            sorted[source] = taken[source]?.sorted { $0.lexicographicallyPrecedes($1) }
        }
        let known = sorted[source] ?? []
        let index = known.partitioningIndex { position.lexicographicallyPrecedes($0) }
        let next = index < known.count ? known[index] : nil
        let found = ListPosition.between(position, next, count: 1)[0]
        take(found, of: source)
        return found
    }
}
