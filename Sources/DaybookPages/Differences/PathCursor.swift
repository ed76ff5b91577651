internal import DaybookBytes

/// Walks a tree in key order and stops before every page, so that the caller can skip the whole
/// subtree.
struct PathCursor<Tree: ScannedTree> {
    /// The next page with its subtree. It is not loaded yet.
    struct Branch {
        var number: UInt32
        var level: Int
        /// A lower bound of the keys in the subtree; nil at the left end of the tree.
        var low: Tree.Key?
    }

    private struct Step {
        var page: Page
        /// The index of the next child.
        var index: Int
        var low: Tree.Key?
    }

    private let table: PageTable
    private let root: UInt32
    private let start: Tree.Key?
    private var path: [Step] = []
    private var leaf: Page?
    private var index = 0
    /// The key of the last entry. Keys must rise, so a walk through damaged pages ends, too.
    private var last: Tree.Key?
    /// The next page; then there is no current entry.
    private(set) var branch: Branch?
    /// The key of the current entry.
    private(set) var key: Tree.Key?

    /// A root of 0 is an empty tree. Throws `.corruption`.
    init(
        root: UInt32, in table: PageTable, from start: Tree.Key?
    ) throws(DaybookError) {
        self.table = table
        self.root = root
        self.start = start
        if root != 0 {
            let level = try Tree.root(root, in: table).level
            branch = Branch(number: root, level: level, low: nil)
        }
    }

    /// Whether both walks are at the same page, and so at equal subtrees.
    func standsWith(_ other: PathCursor) -> Bool {
        guard let branch, branch.number == other.branch?.number else { return false }
        // Pinned versions keep their pages, so no other page can have the number.
        let home = table.home(of: branch.number)
        return home.isSame(as: other.table.home(of: branch.number))
    }

    /// The value of the current entry.
    var value: Tree.Value? {
        guard let leaf, key != nil else { return nil }
        return Tree.value(leaf, index)
    }

    /// Enters the next page.
    mutating func enter() throws(DaybookError) {
        guard let next = branch else { return }
        let page = try Tree.page(next.number, level: next.level, in: table)
        branch = nil
        if next.level == 0 {
            // A leaf of a valid tree is never empty.
            guard page.count > 0 else { throw DamagedPages.wrongPage(next.number) }
            leaf = page
            index = 0
            if let start { index = try Tree.locate(page, start, in: table) }
        } else {
            var index = 0
            if let start { index = try Tree.locateChild(page, start, in: table) }
            path.append(Step(page: page, index: index, low: next.low))
        }
        try settle()
    }

    /// Skips the next page with its subtree.
    mutating func skip() throws(DaybookError) {
        branch = nil
        try settle()
    }

    /// Moves past the current entry.
    mutating func advance() throws(DaybookError) {
        index += 1
        try settle()
    }

    /// Finds the next page or entry.
    private mutating func settle() throws(DaybookError) {
        key = nil
        if let leaf, index < leaf.count {
            let next = try Tree.key(leaf, index, in: table)
            if let last, !Tree.precedes(last, next) { throw DamagedPages.wrongPage(root) }
            (key, last) = (next, next)
            return
        }
        leaf = nil
        while let step = path.last {
            guard step.index < Tree.childCount(step.page) else {
                path.removeLast()
                continue
            }
            path[path.count - 1].index += 1
            let low =
                step.index > 0
                ? try Tree.lowKey(of: step.page, step.index, in: table) : step.low
            branch = Branch(
                number: Tree.child(step.page, step.index), level: step.page.level - 1, low: low)
            return
        }
    }
}
