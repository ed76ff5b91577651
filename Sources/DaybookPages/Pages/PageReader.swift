package import DaybookBytes

/// Reads one version. A small copyable value that does not retain the version: it is valid only
/// inside ``PageSpace/withPinned(_:)``, while its ``PagePin`` lives, or, for ``PageSpace/working``,
/// on the writer's thread.
///
/// Every call throws `.corruption` if a group of pages cannot be read from the snapshot
/// (`details["snapshot"]` is `"group"`) or pages contradict each other (`"pages"`).
@safe
@usableFromInline package struct PageReader: @unchecked Sendable {
    // SENDABLE: the pages of a version never change. The reader of the working state is for the
    // writer's thread only.
    /// Marks a reader that looks trees up in the writer's state. No page has this number.
    private static let workingCatalog = UInt32.max

    let table: PageTable
    /// The sequence of the newest transaction in the version.
    package let sequence: UInt64
    private let catalog: UInt32

    @inline(__always)
    init(_ table: PageTable, _ version: PageVersion) {
        self.table = table
        sequence = version.sequence
        catalog = version.catalog
    }

    /// Creates a reader of the writer's state.
    init(working table: PageTable, sequence: UInt64) {
        self.table = table
        self.sequence = sequence
        catalog = Self.workingCatalog
    }

    /// The value of a key in a map from words. About 30 ns among a million dense keys.
    package func get(_ tree: TreeID, _ key: UInt64) throws(DaybookError) -> WordValue? {
        guard let root = try root(of: tree, .words) else { return nil }
        return try FixedTree<WordLayout>.value(of: key, below: root, in: table)
    }

    /// Appends the entries of the given keys to `entries`, in the order of the keys, skipping
    /// missing ones. About 10 ns per rising key.
    package func get(
        _ tree: TreeID, _ keys: ArraySlice<UInt64>, into entries: inout [WordEntry]
    ) throws(DaybookError) {
        guard let root = try root(of: tree, .words) else { return }
        guard let first = keys.first else { return }
        var place = try FixedTree<WordLayout>.place(of: first, below: root, in: table)
        for key in keys {
            // The next key is usually in the same leaf. The range comes from the inner pages, which
            // are in the processor's cache; the leaf's keys may not be.
            if !place.keys.contains(key) {
                place = try FixedTree<WordLayout>.place(of: key, below: root, in: table)
            }
            let (index, isFound) = place.leaf.locate(key)
            if isFound { entries.append(WordEntry(key: key, value: place.leaf.value(index))) }
        }
    }

    /// Whether a set of pairs contains the pair.
    package func contains(
        _ tree: TreeID, _ first: UInt64, _ second: UInt64
    ) throws(DaybookError) -> Bool {
        guard let root = try root(of: tree, .pairs) else { return false }
        let key = PairLayout.key(first, second)
        return try FixedTree<PairLayout>.leaf(for: key, below: root, in: table).locate(key).isFound
    }

    /// The value of a key in a map from byte strings.
    package func get(
        _ tree: TreeID, bytes key: Span<UInt8>
    ) throws(DaybookError) -> UInt64? {
        guard let root = try root(of: tree, .bytes) else { return nil }
        return try key.withKeyBytes { (key) throws(DaybookError) in
            try ByteTree.value(of: key, below: root, in: table)
        }
    }

    /// The number of entries of a tree; 0 if it does not exist. Costs one lookup in the catalog.
    package func count(_ tree: TreeID) throws(DaybookError) -> Int {
        Int(clamping: try record(of: tree)?.count ?? 0)
    }

    /// The ids of all trees, ascending.
    package func trees() throws(DaybookError) -> [TreeID] {
        if catalog == Self.workingCatalog {
            // SAFETY: such a reader is for the writer's thread only, and the call only reads.
            return try unsafe table.writer.pointee.treeIDs()
        }
        return try Catalog.treeIDs(catalog, in: table)
    }

    /// The root of a tree of that kind; nil if the tree has no entries.
    @inline(__always)
    func root(of tree: TreeID, _ kind: PageKind) throws(DaybookError) -> UInt32? {
        guard let record = try record(of: tree) else { return nil }
        guard record.kind == kind else {
            throw DamagedPages.wrongKind(tree, is: record.kind, usedAs: kind)
        }
        return record.root
    }

    /// The name of the root of a tree, which identifies the content of the whole tree in its
    /// version; nil for an empty tree and in the writer's state, whose pages change. Costs one
    /// lookup in the catalog.
    package func name(ofRoot tree: TreeID) throws(DaybookError) -> PageName? {
        guard catalog != Self.workingCatalog, let root = try record(of: tree)?.root, root != 0
        else { return nil }
        return PageName(root, try table.page(root))
    }

    @inline(__always)
    func record(of tree: TreeID) throws(DaybookError) -> TreeRecord? {
        if catalog == Self.workingCatalog {
            // SAFETY: such a reader is for the writer's thread only, and the call only reads.
            return try unsafe table.writer.pointee.record(of: tree)
        }
        return try Catalog.record(of: tree, catalog, in: table)
    }
}
