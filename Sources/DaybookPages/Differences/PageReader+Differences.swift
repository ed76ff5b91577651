package import DaybookBytes

/// The differences between two versions of a map from words; valid as long as both readers.
package struct WordDifferences {
    private var walk: DifferenceIterator<WalkedFixedTree<WordLayout>>

    init(_ walk: DifferenceIterator<WalkedFixedTree<WordLayout>>) { self.walk = walk }

    /// The next key whose values differ or that only one version has.
    package mutating func next() throws(DaybookError) -> (
        key: UInt64, old: WordValue?, new: WordValue?
    )? {
        try walk.next()
    }
}

/// The differences between two versions of a set of pairs; valid as long as both readers.
package struct PairDifferences {
    private var walk: DifferenceIterator<WalkedFixedTree<PairLayout>>

    init(_ walk: DifferenceIterator<WalkedFixedTree<PairLayout>>) { self.walk = walk }

    /// The next pair that only one version has, and whether that is the newer version.
    package mutating func next() throws(DaybookError) -> (
        first: UInt64, second: UInt64, isNew: Bool
    )? {
        guard let found = try walk.next() else { return nil }
        let pair = PairLayout.entry(found.key)
        return (pair.first, pair.second, found.new != nil)
    }
}

/// The differences between two versions of a map from byte strings; valid as long as both readers.
package struct ByteDifferences {
    private var walk: DifferenceIterator<WalkedByteTree>

    init(_ walk: DifferenceIterator<WalkedByteTree>) { self.walk = walk }

    /// The next key whose values differ or that only one version has.
    package mutating func next() throws(DaybookError) -> (
        key: [UInt8], old: UInt64?, new: UInt64?
    )? {
        try walk.next()
    }
}

// Each costs time in proportion to the differences, see ``DifferenceIterator``.
extension PageReader {
    /// The differences of a map from words to an older version, from `key` on.
    package func wordDifferences(
        _ tree: TreeID, since older: PageReader, from key: UInt64 = 0
    ) throws(DaybookError) -> WordDifferences {
        WordDifferences(try differences(tree, .words, since: older, from: key))
    }

    /// The differences of a set of pairs to an older version, from `start` on.
    package func pairDifferences(
        _ tree: TreeID, since older: PageReader, from start: (UInt64, UInt64) = (0, 0)
    ) throws(DaybookError) -> PairDifferences {
        let key = PairLayout.key(start.0, start.1)
        return PairDifferences(try differences(tree, .pairs, since: older, from: key))
    }

    /// The differences of a map from byte strings to an older version, from `key` on.
    package func byteDifferences(
        _ tree: TreeID, since older: PageReader, from key: [UInt8] = []
    ) throws(DaybookError) -> ByteDifferences {
        ByteDifferences(try differences(tree, .bytes, since: older, from: key))
    }

    private func differences<Tree: ScannedTree>(
        _ tree: TreeID, _ kind: PageKind, since older: PageReader, from key: Tree.Key
    ) throws(DaybookError) -> DifferenceIterator<Tree> {
        DifferenceIterator(
            try PathCursor(root: try older.root(of: tree, kind) ?? 0, in: older.table, from: key),
            try PathCursor(root: try root(of: tree, kind) ?? 0, in: table, from: key))
    }
}
