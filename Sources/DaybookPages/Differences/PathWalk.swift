internal import DaybookBytes

/// Walks a tree in the order of keys, and stops in front of every page on the way: whoever knows a
/// page already goes past all that is below it.
struct PathWalk<Tree: WalkedTree> {
    /// A page that stands next, with all below it. Nobody has touched it yet: it may have to come
    /// from a snapshot.
    struct Branch {
        var number: UInt32
        var level: Int
        /// No key below it is below this one; nil at the left end of the tree.
        var low: Tree.Key?
    }

    private struct Step {
        var page: Page
        /// The child that comes next.
        var index: Int
        var low: Tree.Key?
    }

    private let table: PageTable
    private let root: UInt32
    private let start: Tree.Key?
    private var path: [Step] = []
    private var leaf: Page?
    private var index = 0
    /// The key of the last entry: they rise, so that a walk through any pages comes to an end.
    private var last: Tree.Key?
    /// The page that stands next; then there is no entry.
    private(set) var branch: Branch?
    /// The key of the entry that stands next.
    private(set) var key: Tree.Key?

    /// A root of 0 stands for an empty tree. Throws `.corruption`.
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

    /// Whether the page that stands next is the same for another walk: then all below it is.
    func standsWith(_ other: PathWalk) -> Bool {
        guard let branch, branch.number == other.branch?.number else { return false }
        // Versions that are read keep their pages, so no other one can have got the number.
        let home = table.home(of: branch.number)
        return home.isSame(as: other.table.home(of: branch.number))
    }

    /// The value of the entry that stands next.
    var value: Tree.Value? {
        guard let leaf, key != nil else { return nil }
        return Tree.value(leaf, index)
    }

    /// Goes into the page that stands next.
    mutating func enter() throws(DaybookError) {
        guard let next = branch else { return }
        let page = try Tree.page(next.number, level: next.level, in: table)
        branch = nil
        if next.level == 0 {
            // A leaf of a sound tree is never empty.
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

    /// Goes past the page that stands next.
    mutating func skip() throws(DaybookError) {
        branch = nil
        try settle()
    }

    /// Goes past the entry that stands next.
    mutating func advance() throws(DaybookError) {
        index += 1
        try settle()
    }

    /// Finds what stands next.
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
