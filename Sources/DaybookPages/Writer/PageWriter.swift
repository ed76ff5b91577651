internal import DaybookBytes

/// The state of the single writer: its changes and its resources.
///
/// All changes are copy-on-write: a page from an earlier transaction is copied before it is
/// changed, and so are the pages above it.
struct PageWriter: ~Copyable {
    let table: PageTable
    let source: GroupSource
    var allocator: PageAllocator
    var retired = RetiredPages()
    /// The sequence of the current or last transaction; the birth of new pages.
    private(set) var sequence: UInt64
    private(set) var isOpen = false

    /// The tree being changed, moved out of `states`.
    var current: TreeState
    /// The index of `current` in `states`; nil for the catalog.
    private var currentIndex: Int?
    private var states = TreeStates()
    private var catalog: TreeState
    private var dirty: [Int] = []

    /// The path from the root to the leaf of the current change.
    var path = WriterPath()
    /// The index of the leaf's step in `path`.
    var depth = 0
    /// The cells of a page of bytes that is being rebuilt.
    var cells = ByteCells()
    let scratch: ScratchPages
    /// The last transaction that the adopted snapshot contains; nil without a snapshot.
    var captured: UInt64?
    /// The group that was last considered for eviction.
    var evictionHand = 0

    init(table: PageTable, source: GroupSource, version: PageVersion) {
        self.table = table
        self.source = source
        allocator = PageAllocator(table: table, stored: source.storedMasks)
        sequence = version.sequence
        catalog = TreeState(tree: 0, kind: .words)
        catalog.root = version.catalog
        current = catalog
        scratch = ScratchPages()
        captured = source.loader.map { _ in version.sequence }
    }

    deinit { scratch.deallocate() }

    /// The state at the last `end`.
    var version: PageVersion { PageVersion(sequence: sequence, catalog: catalog.root) }

    // MARK: Transactions

    mutating func begin(_ newSequence: UInt64, _ readers: ReaderRegistry) {
        precondition(!isOpen, "begin inside a transaction")
        precondition(newSequence > sequence, "sequences must rise")
        sequence = newSequence
        isOpen = true
        allocator.sequence = newSequence
        for group in source.takeLinkedGroups() { allocator.adopt(group) }
        if retired.isDue() { retired.reclaim(readers) { page in allocator.reclaim(page) } }
    }

    /// Writes the changed trees to the catalog.
    ///
    /// This cannot fail: selecting a tree walked the path to its record, pages of the catalog are
    /// never evicted, and ``reserve(_:)`` left room for the catalog.
    mutating func end() -> PageVersion {
        precondition(isOpen, "end without begin")
        isOpen = false
        guard !dirty.isEmpty else { return version }
        putBackCurrent()
        current = catalog
        let last = currentIndex
        currentIndex = nil
        do throws(DaybookError) {
            for index in dirty { try updateCatalog(index) }
        } catch {
            preconditionFailure("the catalog cannot be written: \(error)")
        }
        dirty.removeAll(keepingCapacity: true)
        current.isDirty = false
        catalog = current
        currentIndex = last
        if let last { current = states[last] }
        return version
    }

    private mutating func updateCatalog(_ index: Int) throws(DaybookError) {
        let state = states[index]
        states[index].isDirty = false
        guard state.root != 0 else {
            _ = try remove(WordLayout.self, UInt64(state.tree))
            return
        }
        let record = TreeRecord(
            root: state.root, level: table.knownPage(state.root).level, kind: state.kind,
            count: state.count)
        _ = try put(WordLayout.self, UInt64(state.tree), record.value)
    }

    // MARK: Trees

    /// Makes a tree the current one.
    @inline(__always)
    mutating func select(_ tree: TreeID, _ kind: PageKind) throws(DaybookError) {
        precondition(isOpen, "a change outside of begin and end")
        if current.tree != tree || currentIndex == nil { try change(to: tree, kind) }
        if current.kind != kind {
            guard current.root == 0 else {
                throw DamagedPages.wrongKind(tree, is: current.kind, usedAs: kind)
            }
            current.kind = kind
        }
    }

    @inline(never)
    private mutating func change(to tree: TreeID, _ kind: PageKind) throws(DaybookError) {
        putBackCurrent()
        let index: Int
        if let known = states.index(of: tree) {
            index = known
        } else {
            var state = TreeState(tree: tree, kind: kind)
            if let record = try Catalog.record(of: tree, catalog.root, in: table) {
                state.kind = record.kind
                state.root = record.root
                state.count = record.count
            }
            index = states.append(state)
        }
        states.note(index)
        current = states[index]
        currentIndex = index
    }

    private mutating func putBackCurrent() {
        if let currentIndex { states[currentIndex] = current }
    }

    /// Records that the catalog must be updated for the current tree.
    @inline(__always)
    mutating func touch() {
        guard !current.isDirty else { return }
        current.isDirty = true
        if let currentIndex { dirty.append(currentIndex) }
    }

    /// The current record of a tree; nil if it has no entries.
    mutating func record(of tree: TreeID) throws(DaybookError) -> TreeRecord? {
        let state: TreeState
        if currentIndex != nil && current.tree == tree {
            state = current
        } else if let index = states.index(of: tree) {
            state = states[index]
        } else {
            return try Catalog.record(of: tree, catalog.root, in: table)
        }
        guard state.root != 0 else { return nil }
        let level = try table.page(state.root).level
        return TreeRecord(root: state.root, level: level, kind: state.kind, count: state.count)
    }

    mutating func treeIDs() throws(DaybookError) -> [TreeID] {
        var trees = Set(try Catalog.treeIDs(catalog.root, in: table))
        for known in states.all {
            let state = currentIndex != nil && known.tree == current.tree ? current : known
            if state.root == 0 { trees.remove(state.tree) } else { trees.insert(state.tree) }
        }
        return trees.sorted()
    }

    // MARK: Pages

    /// Creates a page of that kind in this transaction.
    @inline(__always)
    mutating func makePage(_ kind: PageKind, level: Int) -> UInt32 {
        let number = allocator.take()
        table.knownPage(number).reset(kind, level: level, birth: sequence)
        return number
    }

    /// Retires a page of the current state. A page that was created in this transaction is
    /// invisible to readers and freed at once. An unused page is left alone.
    @inline(__always)
    mutating func retire(_ number: UInt32, birth: UInt64) {
        guard allocator.retire(number) else { return }
        if birth == sequence {
            allocator.reclaim(number)
        } else {
            retired.append(number, birth: birth, retired: sequence)
        }
    }

    /// Ensures that `count` pages can be allocated, plus a new path for each change of the catalog,
    /// so that no change stops halfway. The end of the transaction reserves nothing, because each
    /// change has counted the catalog's needs.
    @inline(__always)
    func reserve(_ count: Int) throws(DaybookError) {
        guard isOpen else { return }
        guard allocator.roomCount < count + 3 * PageHeader.levelMax * (1 + dirty.count) else {
            return
        }
        throw DaybookError(
            .outOfSpace, "The indexes are full: they can hold 256 GiB. Remove objects or indexes.")
    }
}
