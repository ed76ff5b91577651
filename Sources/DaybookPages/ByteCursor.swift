package import DaybookBytes

/// Walks a map from byte strings in the order of their bytes; a string stands before the longer
/// ones that begin with it. The cursor stands between two entries: ``next()`` returns the one after
/// it and ``previous()`` the one before, so the two undo each other. Valid as long as its reader.
package struct ByteCursor {
    private let table: PageTable
    private let root: UInt32
    /// The inner pages from the root down, and the child that was taken in each.
    private var path: [PathStep] = []
    private var leaf: BytePage?
    private var index = 0

    init(root: UInt32, in table: PageTable) {
        self.root = root
        self.table = table
    }

    /// Goes before the first entry whose key is not below `key`.
    package mutating func seek(to key: [UInt8]) throws(DaybookError) {
        guard root != 0 else { return }
        try key.span.withKeyBytes { (key) throws(DaybookError) in
            let table = table
            try start { (page) throws(DaybookError) in try page.locateChild(key, in: table) }
            if let leaf { index = try leaf.locate(key, in: table).index }
        }
    }

    /// Goes after the last entry.
    package mutating func seekToEnd() throws(DaybookError) {
        guard root != 0 else { return }
        try start { page in page.count }
        index = leaf?.count ?? 0
    }

    /// The entry after the cursor, which then stands behind it; nil at the end. The key is a copy.
    package mutating func next() throws(DaybookError) -> (key: [UInt8], value: UInt64)? {
        guard try prepareNext(), let leaf else { return nil }
        let key = try ByteTree.key(leaf, index, in: table)
        defer { index += 1 }
        return (key, leaf.value(index))
    }

    /// The entry before the cursor, which then stands in front of it; nil at the beginning.
    package mutating func previous() throws(DaybookError) -> (key: [UInt8], value: UInt64)? {
        guard try preparePrevious(), let leaf else { return nil }
        let key = try ByteTree.key(leaf, index - 1, in: table)
        index -= 1
        return (key, leaf.value(index))
    }

    /// Appends the words of up to `limit` entries to `values`, and returns how many: fewer only at
    /// the end, or where the next key is not below `end`. No key is copied: a few ns each.
    package mutating func next(
        valuesInto values: inout [UInt64], limit: Int, before end: [UInt8]? = nil
    ) throws(DaybookError) -> Int {
        let start = values.count
        while values.count - start < limit, try prepareNext(), let leaf {
            var stop = leaf.count
            if let end {
                stop = try end.span.withKeyBytes { (end) throws(DaybookError) in
                    try leaf.locate(end, in: table).index
                }
                guard index < stop else { break }
            }
            let taken = min(stop - index, limit - (values.count - start))
            for index in index..<(index + taken) { values.append(leaf.value(index)) }
            index += taken
        }
        return values.count - start
    }

    /// Appends the words of up to `limit` entries in front of the cursor to `values`, the nearest
    /// first, and returns how many: fewer only at the beginning, or where the next key is below
    /// `start`.
    package mutating func previous(
        valuesInto values: inout [UInt64], limit: Int, notBelow start: [UInt8]? = nil
    ) throws(DaybookError) -> Int {
        let before = values.count
        while values.count - before < limit, try preparePrevious(), let leaf {
            var stop = 0
            if let start {
                stop = try start.span.withKeyBytes { (start) throws(DaybookError) in
                    try leaf.locate(start, in: table).index
                }
                guard index > stop else { break }
            }
            let taken = min(index - stop, limit - (values.count - before))
            for step in 1...taken { values.append(leaf.value(index - step)) }
            index -= taken
        }
        return values.count - before
    }

    // MARK: Walking

    private mutating func prepareNext() throws(DaybookError) -> Bool {
        while let leaf {
            if index < leaf.count { return true }
            guard
                let step = path.lastIndex(where: { step in
                    Int(step.index) < BytePage(table.knownPage(step.page)).count
                })
            else { return false }
            path.removeLast(path.count - step - 1)
            path[step].index += 1
            try descend(BytePage(table.knownPage(path[step].page)).child(Int(path[step].index))) {
                _ in 0
            }
            index = 0
        }
        return false
    }

    private mutating func preparePrevious() throws(DaybookError) -> Bool {
        while leaf != nil {
            if index > 0 { return true }
            guard let step = path.lastIndex(where: { step in step.index > 0 }) else { return false }
            path.removeLast(path.count - step - 1)
            path[step].index -= 1
            try descend(BytePage(table.knownPage(path[step].page)).child(Int(path[step].index))) {
                page in page.count
            }
            index = leaf?.count ?? 0
        }
        return false
    }

    private mutating func start(
        _ choose: (BytePage) throws(DaybookError) -> Int
    ) throws(DaybookError) {
        path.removeAll(keepingCapacity: true)
        try descend(root, choose)
    }

    /// Goes down from a page, which stands below the last of `path`, to a leaf.
    private mutating func descend(
        _ number: UInt32, _ choose: (BytePage) throws(DaybookError) -> Int
    ) throws(DaybookError) {
        var number = number
        var page: Page
        if let above = path.last {
            page = try ByteTree.child(number, table.knownPage(above.page).level - 1, in: table)
        } else {
            page = try ByteTree.root(number, in: table)
        }
        var level = page.level
        while level > 0 {
            let inner = BytePage(page)
            let index = try choose(inner)
            path.append(PathStep(number, index))
            number = inner.child(index)
            level -= 1
            page = try ByteTree.child(number, level, in: table)
        }
        leaf = BytePage(page)
    }
}

extension PageReader {
    /// A cursor in a map from byte strings, before the first key that is not below `key`.
    package func bytes(
        _ tree: TreeID, from key: [UInt8] = []
    ) throws(DaybookError) -> ByteCursor {
        var cursor = ByteCursor(root: try root(of: tree, .bytes) ?? 0, in: table)
        try cursor.seek(to: key)
        return cursor
    }
}
