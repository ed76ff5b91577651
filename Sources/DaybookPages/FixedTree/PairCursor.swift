package import DaybookBytes

/// A cursor in a set of pairs, in order. It is between two pairs: ``next()`` returns the pair after
/// it and ``previous()`` the pair before it, so one undoes the other. Valid as long as its reader.
package struct PairCursor {
    private var cursor: FixedCursor<PairLayout>

    /// The number of pairs whose memory is fetched together.
    private static let touchedCount = 32

    init(_ cursor: FixedCursor<PairLayout>) { self.cursor = cursor }

    /// Returns the pair after the cursor and moves past it; nil at the end. About 3 ns.
    package mutating func next() throws(DaybookError) -> (first: UInt64, second: UInt64)? {
        guard let entry = try cursor.next() else { return nil }
        let pair = PairLayout.entry(entry.key)
        return (pair.first, pair.second)
    }

    /// Returns the pair before the cursor and moves before it; nil at the beginning.
    package mutating func previous() throws(DaybookError) -> (first: UInt64, second: UInt64)? {
        guard let entry = try cursor.previous() else { return nil }
        let pair = PairLayout.entry(entry.key)
        return (pair.first, pair.second)
    }

    /// Moves before the first pair that is at least the given one.
    package mutating func seek(to first: UInt64, _ second: UInt64 = 0) throws(DaybookError) {
        try cursor.seek(PairLayout.key(first, second))
    }

    /// Begins to read the leaf with the pairs of a first word, for ``seconds(approached:into:)``.
    /// Meanwhile the caller can do other work that waits for memory.
    package mutating func approach(_ first: UInt64) throws(DaybookError) {
        try cursor.approach(PairLayout.key(first, 0))
    }

    /// Replaces `seconds` by the second words of all pairs with the first word of the last call of
    /// ``approach(_:)``, ascending, and moves after them. About 1 ns per pair.
    package mutating func seconds(
        approached first: UInt64, into seconds: inout [UInt64]
    ) throws(DaybookError) {
        seconds.removeAll(keepingCapacity: true)
        cursor.arrive(PairLayout.key(first, 0))
        cursor.touch(Self.touchedCount)
        try cursor.forEachKey(through: PairLayout.key(first, .max)) { key in
            seconds.append(PairLayout.entry(key).second)
        }
    }

    /// Replaces `seconds` by the second words of all pairs with a first word, ascending, and moves
    /// after them. Cost: a tree lookup, and about 1 ns per pair.
    package mutating func seconds(
        of first: UInt64, into seconds: inout [UInt64]
    ) throws(DaybookError) {
        try approach(first)
        try self.seconds(approached: first, into: &seconds)
    }

    /// Moves after the last pair.
    package mutating func seekToEnd() throws(DaybookError) { try cursor.seekToEnd() }
}

extension PageReader {
    /// A cursor in a set of pairs, before the first pair that is at least `start`.
    package func pairs(
        _ tree: TreeID, from start: (UInt64, UInt64) = (0, 0)
    ) throws(DaybookError) -> PairCursor {
        var cursor = FixedCursor<PairLayout>(root: try root(of: tree, .pairs) ?? 0, in: table)
        try cursor.seek(PairLayout.key(start.0, start.1))
        return PairCursor(cursor)
    }
}
