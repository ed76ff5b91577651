package import DaybookBytes

/// Walks a set of pairs in order. It stands between two pairs: ``next()`` returns the one after it
/// and ``previous()`` the one before, so the two undo each other. Valid as long as its reader.
package struct PairCursor {
    private var cursor: FixedCursor<PairLayout>

    init(_ cursor: FixedCursor<PairLayout>) { self.cursor = cursor }

    /// The pair after the cursor, which then stands behind it; nil at the end. About 3 ns.
    package mutating func next() throws(DaybookError) -> (first: UInt64, second: UInt64)? {
        guard let entry = try cursor.next() else { return nil }
        let pair = PairLayout.entry(entry.key)
        return (pair.first, pair.second)
    }

    /// The pair before the cursor, which then stands in front of it; nil at the beginning.
    package mutating func previous() throws(DaybookError) -> (first: UInt64, second: UInt64)? {
        guard let entry = try cursor.previous() else { return nil }
        let pair = PairLayout.entry(entry.key)
        return (pair.first, pair.second)
    }

    /// Goes before the first pair that is not below the given one.
    package mutating func seek(to first: UInt64, _ second: UInt64 = 0) throws(DaybookError) {
        try cursor.seek(PairLayout.key(first, second))
    }

    /// Goes after the last pair.
    package mutating func seekToEnd() throws(DaybookError) { try cursor.seekToEnd() }

    /// Appends up to `limit` pairs to `batch`, fewer only at the end, and returns how many. About 2
    /// ns each.
    package mutating func next(
        into batch: inout [PairEntry], limit: Int
    ) throws(DaybookError) -> Int {
        let start = batch.count
        guard limit > 0 else { return 0 }
        var left = limit
        try cursor.forEach { key, _ in
            guard left > 0 else { return false }
            left -= 1
            batch.append(PairLayout.entry(key))
            return true
        }
        return batch.count - start
    }

    /// Appends the second words of up to `limit` pairs that begin with `first`, and returns how
    /// many: fewer only where another first word, or the end, follows.
    package mutating func next(
        secondsOf first: UInt64, into seconds: inout [UInt64], limit: Int
    ) throws(DaybookError) -> Int {
        let start = seconds.count
        guard limit > 0 else { return 0 }
        var left = limit
        try cursor.forEach { key, _ in
            let pair = PairLayout.entry(key)
            guard left > 0, pair.first == first else { return false }
            left -= 1
            seconds.append(pair.second)
            return true
        }
        return seconds.count - start
    }
}

extension PageReader {
    /// A cursor in a set of pairs, before the first pair that is not below `start`.
    package func pairs(
        _ tree: TreeID, from start: (UInt64, UInt64) = (0, 0)
    ) throws(DaybookError) -> PairCursor {
        var cursor = FixedCursor<PairLayout>(root: try root(of: tree, .pairs) ?? 0, in: table)
        try cursor.seek(PairLayout.key(start.0, start.1))
        return PairCursor(cursor)
    }
}
