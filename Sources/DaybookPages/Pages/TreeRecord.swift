internal import DaybookBytes

/// The catalog's record of a tree: one entry of a map from words, whose key is the tree's id.
struct TreeRecord: Equatable {
    /// The maximum number of entries: the total number of bytes in all pages.
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

    /// Decodes a catalog entry; `.corruption` if it is invalid.
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

    /// The encoded catalog entry.
    var value: WordValue {
        WordValue(
            first: UInt64(root) | UInt64(level) << 32 | UInt64(kind.rawValue) << 40, second: count)
    }
}
