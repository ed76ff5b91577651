package import DaybookBytes

/// Walks a map from words in the order of keys. It stands between two entries: ``next()`` returns
/// the one after it and ``previous()`` the one before, so the two undo each other. Valid as long as
/// its reader.
package struct WordCursor {
    private var cursor: FixedCursor<WordLayout>

    init(_ cursor: FixedCursor<WordLayout>) { self.cursor = cursor }

    /// The entry after the cursor, which then stands behind it; nil at the end. About 3 ns.
    package mutating func next() throws(DaybookError) -> (key: UInt64, value: WordValue)? {
        try cursor.next()
    }

    /// The entry before the cursor, which then stands in front of it; nil at the beginning.
    package mutating func previous() throws(DaybookError) -> (key: UInt64, value: WordValue)? {
        try cursor.previous()
    }

    /// Puts the entries that follow in the same page and whose keys are at most `last` into
    /// `entries`, from the place `start` on, as far as there is room. Returns how many; 0 only at
    /// the end, or without room. About 1 ns each.
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

    /// Goes before the first entry whose key is not below `key`.
    package mutating func seek(to key: UInt64) throws(DaybookError) { try cursor.seek(key) }

    /// Goes after the last entry.
    package mutating func seekToEnd() throws(DaybookError) { try cursor.seekToEnd() }
}

extension PageReader {
    /// A cursor in a map from words, before the first key that is not below `key`.
    package func words(
        _ tree: TreeID, from key: UInt64 = 0
    ) throws(DaybookError) -> WordCursor {
        var cursor = FixedCursor<WordLayout>(root: try root(of: tree, .words) ?? 0, in: table)
        try cursor.seek(key)
        return WordCursor(cursor)
    }
}
