/// The writer's state of a tree that it has touched.
struct TreeState {
    let tree: TreeID
    var kind: PageKind
    /// 0 while the tree has no entries.
    var root: UInt32 = 0
    var count: UInt64 = 0
    /// Whether the catalog must be updated at the end of the transaction.
    var isDirty = false

    // The leaf of the last change, while it may be changed in place: the next change is often near.
    // It contains the keys `leafLow ... leafHigh`.
    var leaf: UInt32 = 0
    /// The sequence of the transaction in which `leaf` is valid.
    var leafSequence: UInt64 = 0
    var leafLow: UInt128 = 0
    var leafHigh: UInt128 = 0

    /// The last inserted key, to detect runs of rising or falling keys, which fill their pages.
    var lastInserted: UInt128?
    /// The position of the last inserted byte string, for the same purpose.
    var lastLeaf: UInt32 = 0
    var lastIndex = 0

    init(tree: TreeID, kind: PageKind) {
        self.tree = tree
        self.kind = kind
    }
}
