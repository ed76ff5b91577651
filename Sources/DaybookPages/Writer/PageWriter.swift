internal import DaybookBytes

/// The state of the one writer: what it has changed since it began, and what it may use.
///
/// All changes are copy-on-write: a page that was not born in the current transaction is copied
/// before it is changed, and so are the pages above it.
struct PageWriter: ~Copyable {
    let table: PageTable
    let source: GroupSource?
    var allocator: PageAllocator
    var retired = RetiredPages()
    /// The current transaction, or the last one; also what new pages have as their birth.
    private(set) var sequence: UInt64
    private(set) var isOpen = false

    /// The tree that is being worked on, taken out of `states`.
    var current: TreeState
    /// Where `current` belongs in `states`; nil for the catalog.
    private var currentIndex: Int?
    private var states = TreeStates()
    private var catalog: TreeState
    private var dirty: [Int] = []

    /// The way from the root to the leaf of the change under way.
    var path = InlineArray<32, PathStep>(repeating: PathStep())
    /// The number of steps in `path` before the leaf's.
    var depth = 0
    /// What a page of bytes is rebuilt from.
    var cells = ByteCells()
    let scratch: ScratchPages

    init(table: PageTable, source: GroupSource?, version: PageVersion) {
        self.table = table
        self.source = source
        allocator = PageAllocator(table: table, stored: source?.storedMasks ?? [])
        sequence = version.sequence
        catalog = TreeState(tree: 0, kind: .words)
        catalog.root = version.catalog
        current = catalog
        scratch = ScratchPages()
    }

    deinit { scratch.deallocate() }

    /// The state as of the last `end`.
    var version: PageVersion { PageVersion(sequence: sequence, catalog: catalog.root) }

    // MARK: Transactions

    mutating func begin(_ newSequence: UInt64, _ readers: ReaderRegistry) {
        precondition(!isOpen, "begin before the last transaction ended")
        precondition(newSequence > sequence, "sequences must rise")
        sequence = newSequence
        isOpen = true
        if let source {
            for group in source.takeLoadedGroups() { allocator.adopt(group) }
        }
        if retired.isDue() { retired.reclaim(readers) { page in allocator.reclaim(page) } }
    }

    /// Writes the changed trees to the catalog.
    ///
    /// This cannot fail: the way to a tree's record was walked when the tree was selected, pages
    /// once in memory stay there, and ``reserve(_:)`` left room for the catalog.
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

    /// Notes that the catalog must be told of the current tree.
    @inline(__always)
    mutating func touch() {
        guard !current.isDirty else { return }
        current.isDirty = true
        if let currentIndex { dirty.append(currentIndex) }
    }

    /// Where a tree stands now; nil where it has no entries.
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

    /// A new page of that kind, born now.
    @inline(__always)
    mutating func makePage(_ kind: PageKind, level: Int) -> UInt32 {
        let number = allocator.take()
        table.knownPage(number).reset(kind, level: level, birth: sequence)
        return number
    }

    /// Gives up a page of the current state. One that was born in this transaction was never seen
    /// by anybody and is free at once. A page that is not in use stays as it is.
    @inline(__always)
    mutating func retire(_ number: UInt32, birth: UInt64) {
        guard allocator.retire(number) else { return }
        if birth == sequence {
            allocator.reclaim(number)
        } else {
            retired.append(number, birth: birth, retired: sequence)
        }
    }

    /// Makes sure that `count` pages can be taken, and a new path for each change of the catalog,
    /// so that no change stops half way. At the end of the transaction it asks for nothing: what
    /// the catalog needs was counted with each change.
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
