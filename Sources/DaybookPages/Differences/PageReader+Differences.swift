package import DaybookBytes

/// What two versions of a map from words do not have alike; valid as long as both readers.
package struct WordDifferences {
    private var walk: DifferenceWalk<WalkedFixedTree<WordLayout>>

    init(_ walk: DifferenceWalk<WalkedFixedTree<WordLayout>>) { self.walk = walk }

    /// The next key that both do not have with the same value.
    package mutating func next() throws(DaybookError) -> (
        key: UInt64, old: WordValue?, new: WordValue?
    )? {
        try walk.next()
    }
}

/// What two versions of a set of pairs do not have alike; valid as long as both readers.
package struct PairDifferences {
    private var walk: DifferenceWalk<WalkedFixedTree<PairLayout>>

    init(_ walk: DifferenceWalk<WalkedFixedTree<PairLayout>>) { self.walk = walk }

    /// The next pair that one of both has, and whether that is the newer one.
    package mutating func next() throws(DaybookError) -> (
        first: UInt64, second: UInt64, isNew: Bool
    )? {
        guard let found = try walk.next() else { return nil }
        let pair = PairLayout.entry(found.key)
        return (pair.first, pair.second, found.new != nil)
    }
}

/// What two versions of a map from byte strings do not have alike; valid as long as both readers.
package struct ByteDifferences {
    private var walk: DifferenceWalk<WalkedByteTree>

    init(_ walk: DifferenceWalk<WalkedByteTree>) { self.walk = walk }

    /// The next key that both do not have with the same word.
    package mutating func next() throws(DaybookError) -> (
        key: [UInt8], old: UInt64?, new: UInt64?
    )? {
        try walk.next()
    }
}

// Each costs what differs: pages that both versions share are passed; see ``DifferenceWalk``.
extension PageReader {
    /// What this version of a map from words has otherwise than another, from a key on.
    package func wordDifferences(
        _ tree: TreeID, since older: PageReader, from key: UInt64 = 0
    ) throws(DaybookError) -> WordDifferences {
        WordDifferences(try differences(tree, .words, since: older, from: key))
    }

    /// What this version of a set of pairs has otherwise than another, from a pair on.
    package func pairDifferences(
        _ tree: TreeID, since older: PageReader, from start: (UInt64, UInt64) = (0, 0)
    ) throws(DaybookError) -> PairDifferences {
        let key = PairLayout.key(start.0, start.1)
        return PairDifferences(try differences(tree, .pairs, since: older, from: key))
    }

    /// What this version of a map from byte strings has otherwise than another, from a key on.
    package func byteDifferences(
        _ tree: TreeID, since older: PageReader, from key: [UInt8] = []
    ) throws(DaybookError) -> ByteDifferences {
        ByteDifferences(try differences(tree, .bytes, since: older, from: key))
    }

    private func differences<Tree: WalkedTree>(
        _ tree: TreeID, _ kind: PageKind, since older: PageReader, from key: Tree.Key
    ) throws(DaybookError) -> DifferenceWalk<Tree> {
        DifferenceWalk(
            try PathWalk(root: try older.root(of: tree, kind) ?? 0, in: older.table, from: key),
            try PathWalk(root: try root(of: tree, kind) ?? 0, in: table, from: key))
    }
}
