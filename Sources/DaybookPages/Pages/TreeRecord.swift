internal import DaybookBytes

/// What the catalog knows of a tree: one entry of a map from words, whose key is the tree's id.
struct TreeRecord: Equatable {
    /// No tree has more entries: there are not as many bytes in all pages.
    private static let countMax = UInt64(PageTable.pageCountMax) * UInt64(Page.size)

    var root: UInt32
    var level: Int
    var kind: PageKind
    var count: UInt64

    init(root: UInt32, level: Int, kind: PageKind, count: UInt64) {
        self.root = root
        self.level = level
        self.kind = kind
        self.count = count
    }

    /// The record that a catalog entry stands for; `.corruption` where it stands for none.
    @inline(__always)
    init(_ value: WordValue, tree: TreeID) throws(DaybookError) {
        root = UInt32(truncatingIfNeeded: value.first)
        level = Int(truncatingIfNeeded: (value.first >> 32) & 0xFF)
        count = value.second
        guard let kind = PageKind(rawValue: UInt8(truncatingIfNeeded: value.first >> 40)),
            root != 0, root < UInt32(PageTable.pageCountMax), count <= Self.countMax
        else { throw DamagedPages.wrongRecord(tree) }
        self.kind = kind
    }

    /// The catalog entry of the record.
    var value: WordValue {
        WordValue(
            first: UInt64(root) | UInt64(level) << 32 | UInt64(kind.rawValue) << 40, second: count)
    }
}
