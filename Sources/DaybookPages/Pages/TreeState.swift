/// What the writer knows of a tree that it has touched.
struct TreeState {
    let tree: TreeID
    var kind: PageKind
    /// 0 while the tree has no entries.
    var root: UInt32 = 0
    var count: UInt64 = 0
    /// Whether the catalog must be told at the end of the transaction.
    var isDirty = false

    // The leaf where the last change was made, while it may be changed in place: the next change is
    // often near. It holds the keys `leafLow ... leafHigh`.
    var leaf: UInt32 = 0
    /// The sequence of the transaction in which `leaf` is good.
    var leafSequence: UInt64 = 0
    var leafLow: UInt128 = 0
    var leafHigh: UInt128 = 0

    /// The key that was inserted last: a run of rising or falling keys fills its pages.
    var lastInserted: UInt128?
    /// Where the last byte string was inserted, for the same purpose.
    var lastLeaf: UInt32 = 0
    var lastIndex = 0

    init(tree: TreeID, kind: PageKind) {
        self.tree = tree
        self.kind = kind
    }
}
