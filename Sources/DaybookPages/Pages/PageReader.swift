package import DaybookBytes

/// Reads one version. Light and copyable; it holds nothing, so it is valid only inside
/// ``PageSpace/withPinned(_:)``, while its ``PagePin`` lives, or, for ``PageSpace/working``, on the
/// writer's thread.
///
/// Every call throws `.corruption` where a group of pages cannot be read from the snapshot
/// (`details["snapshot"]` is then `"group"`) or the pages contradict each other (then `"pages"`).
@safe
@usableFromInline package struct PageReader: @unchecked Sendable {
    // SENDABLE: the pages of a version never change; the writer's own reader is for its thread
    // only.
    /// The catalog of a reader that looks trees up in the writer's state instead. No page has this
    /// number.
    private static let workingCatalog = UInt32.max

    let table: PageTable
    /// The number of the newest transaction in the version.
    package let sequence: UInt64
    private let catalog: UInt32

    @inline(__always)
    init(_ table: PageTable, _ version: PageVersion) {
        self.table = table
        sequence = version.sequence
        catalog = version.catalog
    }

    /// A reader of the writer's state.
    init(working table: PageTable, sequence: UInt64) {
        self.table = table
        self.sequence = sequence
        catalog = Self.workingCatalog
    }

    /// The value of a key in a map from words, or nil. About 30 ns among a million dense keys.
    package func get(_ tree: TreeID, _ key: UInt64) throws(DaybookError) -> WordValue? {
        guard let root = try root(of: tree, .words) else { return nil }
        return try FixedTree<WordLayout>.value(of: key, below: root, in: table)
    }

    /// Appends the entries of those of the keys that a map from words has, in the order of the
    /// keys. About 10 ns each where they rise.
    package func get(
        _ tree: TreeID, _ keys: ArraySlice<UInt64>, into entries: inout [WordEntry]
    ) throws(DaybookError) {
        guard let root = try root(of: tree, .words) else { return }
        guard let first = keys.first else { return }
        var place = try FixedTree<WordLayout>.place(of: first, below: root, in: table)
        for key in keys {
            // Most often the next key stands in the same leaf. The pages above say so: they are in
            // the processor's cache, and its keys may not be.
            if !place.keys.contains(key) {
                place = try FixedTree<WordLayout>.place(of: key, below: root, in: table)
            }
            let (index, isFound) = place.leaf.locate(key)
            if isFound { entries.append(WordEntry(key: key, value: place.leaf.value(index))) }
        }
    }

    /// Whether a set of pairs has the pair.
    package func contains(
        _ tree: TreeID, _ first: UInt64, _ second: UInt64
    ) throws(DaybookError) -> Bool {
        guard let root = try root(of: tree, .pairs) else { return false }
        let key = PairLayout.key(first, second)
        return try FixedTree<PairLayout>.leaf(for: key, below: root, in: table).locate(key).isFound
    }

    /// The word that a byte string stands for in a map from bytes, or nil.
    package func get(
        _ tree: TreeID, bytes key: Span<UInt8>
    ) throws(DaybookError) -> UInt64? {
        guard let root = try root(of: tree, .bytes) else { return nil }
        return try key.withKeyBytes { (key) throws(DaybookError) in
            try ByteTree.value(of: key, below: root, in: table)
        }
    }

    /// The number of entries of a tree; 0 where there is none. Costs one look-up in the catalog.
    package func count(_ tree: TreeID) throws(DaybookError) -> Int {
        Int(clamping: try record(of: tree)?.count ?? 0)
    }

    /// The ids of all trees, in rising order.
    package func trees() throws(DaybookError) -> [TreeID] {
        if catalog == Self.workingCatalog {
            // SAFETY: such a reader is for the writer's thread only; the call only reads.
            return try unsafe table.writer.pointee.treeIDs()
        }
        return try Catalog.treeIDs(catalog, in: table)
    }

    /// The root of a tree of that kind; nil where it has no entries.
    @inline(__always)
    func root(of tree: TreeID, _ kind: PageKind) throws(DaybookError) -> UInt32? {
        guard let record = try record(of: tree) else { return nil }
        guard record.kind == kind else {
            throw DamagedPages.wrongKind(tree, is: record.kind, usedAs: kind)
        }
        return record.root
    }

    @inline(__always)
    func record(of tree: TreeID) throws(DaybookError) -> TreeRecord? {
        if catalog == Self.workingCatalog {
            // SAFETY: such a reader is for the writer's thread only; the call only reads.
            return try unsafe table.writer.pointee.record(of: tree)
        }
        return try Catalog.record(of: tree, catalog, in: table)
    }
}
