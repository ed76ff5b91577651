internal import DaybookBytes

/// The operations of a tree that ``PathCursor`` needs.
protocol ScannedTree {
    associatedtype Key
    associatedtype Value

    static func root(_ number: UInt32, in table: PageTable) throws(DaybookError) -> Page
    static func page(
        _ number: UInt32, level: Int, in table: PageTable
    ) throws(DaybookError) -> Page
    static func child(_ page: Page, _ index: Int) -> UInt32
    static func childCount(_ page: Page) -> Int
    /// A key above all keys of the previous child and not above any key of this child. Not called
    /// for the first child.
    static func lowKey(
        of page: Page, _ index: Int, in table: PageTable
    ) throws(DaybookError) -> Key
    /// The index of the child that can contain a key.
    static func locateChild(
        _ page: Page, _ key: Key, in table: PageTable
    ) throws(DaybookError) -> Int
    /// The index of the first entry of a leaf whose key is at least `key`.
    static func locate(
        _ page: Page, _ key: Key, in table: PageTable
    ) throws(DaybookError) -> Int
    static func key(_ page: Page, _ index: Int, in table: PageTable) throws(DaybookError) -> Key
    static func value(_ page: Page, _ index: Int) -> Value
    static func precedes(_ key: Key, _ other: Key) -> Bool
    static func isSame(_ value: Value, _ other: Value) -> Bool
}

/// A tree of fixed-size entries.
enum WalkedFixedTree<Layout: FixedLayout>: ScannedTree where Layout.Value: Equatable {
    static func root(_ number: UInt32, in table: PageTable) throws(DaybookError) -> Page {
        try FixedTree<Layout>.root(number, in: table)
    }

    static func page(
        _ number: UInt32, level: Int, in table: PageTable
    ) throws(DaybookError) -> Page {
        try FixedTree<Layout>.child(number, level: level, in: table)
    }

    static func child(_ page: Page, _ index: Int) -> UInt32 {
        FixedInner<Layout>(page).child(index)
    }

    static func childCount(_ page: Page) -> Int { page.count }

    static func lowKey(
        of page: Page, _ index: Int, in table: PageTable
    ) throws(DaybookError) -> Layout.Key {
        FixedInner<Layout>(page).key(index)
    }

    static func locateChild(
        _ page: Page, _ key: Layout.Key, in table: PageTable
    ) throws(DaybookError) -> Int {
        FixedInner<Layout>(page).locate(key)
    }

    static func locate(
        _ page: Page, _ key: Layout.Key, in table: PageTable
    ) throws(DaybookError) -> Int {
        FixedLeaf<Layout>(page).locate(key).index
    }

    static func key(
        _ page: Page, _ index: Int, in table: PageTable
    ) throws(DaybookError) -> Layout.Key {
        FixedLeaf<Layout>(page).key(index)
    }

    static func value(_ page: Page, _ index: Int) -> Layout.Value {
        FixedLeaf<Layout>(page).value(index)
    }

    static func precedes(_ key: Layout.Key, _ other: Layout.Key) -> Bool { key < other }

    static func isSame(_ value: Layout.Value, _ other: Layout.Value) -> Bool { value == other }
}

/// A map from byte strings.
enum WalkedByteTree: ScannedTree {
    static func root(_ number: UInt32, in table: PageTable) throws(DaybookError) -> Page {
        try ByteTree.root(number, in: table)
    }

    static func page(
        _ number: UInt32, level: Int, in table: PageTable
    ) throws(DaybookError) -> Page {
        try ByteTree.child(number, level, in: table)
    }

    static func child(_ page: Page, _ index: Int) -> UInt32 { BytePage(page).child(index) }

    static func childCount(_ page: Page) -> Int { page.count + 1 }

    static func lowKey(
        of page: Page, _ index: Int, in table: PageTable
    ) throws(DaybookError) -> [UInt8] {
        try ByteTree.key(BytePage(page), index - 1, in: table)
    }

    static func locateChild(
        _ page: Page, _ key: [UInt8], in table: PageTable
    ) throws(DaybookError) -> Int {
        try key.span.withKeyBytes { (key) throws(DaybookError) in
            try BytePage(page).locateChild(key, in: table)
        }
    }

    static func locate(
        _ page: Page, _ key: [UInt8], in table: PageTable
    ) throws(DaybookError) -> Int {
        try key.span.withKeyBytes { (key) throws(DaybookError) in
            try BytePage(page).locate(key, in: table).index
        }
    }

    static func key(
        _ page: Page, _ index: Int, in table: PageTable
    ) throws(DaybookError) -> [UInt8] {
        try ByteTree.key(BytePage(page), index, in: table)
    }

    static func value(_ page: Page, _ index: Int) -> UInt64 { BytePage(page).value(index) }

    static func precedes(_ key: [UInt8], _ other: [UInt8]) -> Bool {
        key.lexicographicallyPrecedes(other)
    }

    static func isSame(_ value: UInt64, _ other: UInt64) -> Bool { value == other }
}
