internal import DaybookBytes

/// Lookups in a map from byte strings.
enum ByteTree {
    static func value(
        of key: KeyBytes, below root: UInt32, in table: PageTable
    ) throws(DaybookError) -> UInt64? {
        var page = try self.root(root, in: table)
        var level = page.level
        while level > 0 {
            let inner = BytePage(page)
            level -= 1
            page = try child(inner.child(try inner.locateChild(key, in: table)), level, in: table)
        }
        let leaf = BytePage(page)
        let (index, isFound) = try leaf.locate(key, in: table)
        return isFound ? leaf.value(index) : nil
    }

    /// The root page, checked.
    @inline(__always)
    static func root(_ number: UInt32, in table: PageTable) throws(DaybookError) -> Page {
        let page = try table.page(number)
        guard page.kind == PageKind.bytes.rawValue, page.level <= PageHeader.levelMax else {
            throw DamagedPages.wrongPage(number)
        }
        return page
    }

    /// A checked child page. The level decreases with each step, so every descent ends.
    @inline(__always)
    static func child(
        _ number: UInt32, _ level: Int, in table: PageTable
    ) throws(DaybookError) -> Page {
        let page = try table.page(number)
        guard page.tag == PageKind.bytes.tag(level: level) else {
            throw DamagedPages.wrongPage(number)
        }
        return page
    }

    /// A copy of the whole key at `index` of a page.
    static func key(
        _ page: BytePage, _ index: Int, in table: PageTable
    ) throws(DaybookError) -> [UInt8] {
        if page.isLong(index) { return try page.chain(index).key(in: table) }
        let prefix = page.prefix
        let suffix = page.suffix(index)
        if prefix.count == 0 { return suffix.array }
        var key: [UInt8] = []
        key.reserveCapacity(prefix.count + suffix.count)
        key.append(contentsOf: prefix.array)
        key.append(contentsOf: suffix.array)
        return key
    }
}
