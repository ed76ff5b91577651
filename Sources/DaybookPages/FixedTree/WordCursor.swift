package import DaybookBytes

/// A cursor in a map from words, in key order. It is between two entries: ``next()`` returns the
/// entry after it and ``previous()`` the entry before it, so one undoes the other. Valid as long as
/// its reader.
package struct WordCursor {
    private var cursor: FixedCursor<WordLayout>

    init(_ cursor: FixedCursor<WordLayout>) { self.cursor = cursor }

    /// Returns the entry after the cursor and moves past it; nil at the end. About 3 ns.
    package mutating func next() throws(DaybookError) -> (key: UInt64, value: WordValue)? {
        try cursor.next()
    }

    /// Returns the entry before the cursor and moves before it; nil at the beginning.
    package mutating func previous() throws(DaybookError) -> (key: UInt64, value: WordValue)? {
        try cursor.previous()
    }

    /// Copies the next entries of the same page whose keys are at most `last` into `entries`, from
    /// index `start`, as far as they fit. Returns their number; 0 only at the end, or without room.
    /// About 1 ns per entry.
    package mutating func next(
        into entries: inout [WordEntry], from start: Int = 0, through last: UInt64 = .max
    ) throws(DaybookError) -> Int {
        guard let (leaf, range) = try cursor.take(entries.count - start, through: last) else {
            return 0
        }
        var target = entries.mutableSpan
        for (place, index) in range.enumerated() {
            target[start &+ place] = WordEntry(key: leaf.key(index), value: leaf.value(index))
        }
        return range.count
    }

    /// Moves after the last entry.
    package mutating func seekToEnd() throws(DaybookError) { try cursor.seekToEnd() }
}

extension PageReader {
    /// A cursor in a map from words, before the first key that is at least `key`.
    package func words(
        _ tree: TreeID, from key: UInt64 = 0
    ) throws(DaybookError) -> WordCursor {
        var cursor = FixedCursor<WordLayout>(root: try root(of: tree, .words) ?? 0, in: table)
        try cursor.seek(key)
        return WordCursor(cursor)
    }
}
