/// The positions of a list right after what is undone: between two of them a place has its order
/// among what came in later only by chance.
struct ListGaps {
    private let positions: [[UInt8]]
    /// What came in later, in the order of the positions.
    private let inserted: [(position: [UInt8], sequence: UInt64)]
    /// The commits that were found, by the index of the gap.
    private var known: [Int: [UInt64]] = [:]

    /// - Parameters:
    ///   - now: the positions of the list as it is.
    ///   - later: what later commits did to it, in the order of the log.
    init(_ now: [[UInt8]], _ later: [ReversalHistory.LaterLink]) {
        var positions = Set(now)
        for change in later.reversed() {
            if change.isLink {
                positions.remove(change.link.position)
            } else {
                positions.insert(change.link.position)
            }
        }
        self.positions = positions.sorted { $0.lexicographicallyPrecedes($1) }
        inserted = later.filter(\.isLink).map { ($0.link.position, $0.sequence) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }

    /// The later commits that put something in where a place is to be put back. Cost: a logarithm;
    /// for the first place of a gap also what is found.
    mutating func commits(beside position: [UInt8]) -> [UInt64] {
        if inserted.isEmpty { return [] }
        let gap = Self.firstIndex(positions.count) {
            !positions[$0].lexicographicallyPrecedes(position)
        }
        if let known = known[gap] { return known }
        let start = Self.firstIndex(inserted.count) { index in
            gap == 0 || positions[gap - 1].lexicographicallyPrecedes(inserted[index].position)
        }
        let end = Self.firstIndex(inserted.count) { index in
            gap < positions.count
                && !inserted[index].position.lexicographicallyPrecedes(positions[gap])
        }
        let found = start < end ? inserted[start..<end].map(\.sequence).distinctSorted() : []
        known[gap] = found
        return found
    }

    private static func firstIndex(_ count: Int, where isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
