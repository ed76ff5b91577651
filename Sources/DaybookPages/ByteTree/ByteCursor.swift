package import DaybookBytes

/// Walks a map from byte strings in the order of their bytes; a string stands before the longer
/// ones that begin with it. The cursor stands between two entries: ``next()`` returns the one after
/// it and ``previous()`` the one before, so the two undo each other. Valid as long as its reader.
package struct ByteCursor {
    private let table: PageTable
    private let root: UInt32
    /// The inner pages from the root down, and the child that was taken in each.
    private var path: [PathStep] = []
    /// Where a new path is found; it takes the place of `path` when it is whole, so that a walk
    /// that failed can be tried again from where it stood.
    private var pathAhead: [PathStep] = []
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
            let leaf = try start { (page) throws(DaybookError) in
                try page.locateChild(key, in: table)
            }
            arrive(at: leaf, try leaf.locate(key, in: table).index)
        }
    }

    /// Goes after the last entry.
    package mutating func seekToEnd() throws(DaybookError) {
        guard root != 0 else { return }
        let leaf = try start { page in page.count }
        arrive(at: leaf, leaf.count)
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

    /// Passes the entries whose keys are below `end`, and returns how many there are; `limit` where
    /// there are more, and then the cursor stands somewhere behind. No entry is looked at: the cost
    /// is that of touching each leaf.
    package mutating func count(
        before end: [UInt8]?, limit: Int = .max
    ) throws(DaybookError) -> Int {
        var last = ByteCursor(root: root, in: table)
        if let end { try last.seek(to: end) } else { try last.seekToEnd() }
        var count = 0
        while count < limit, try prepareNext(), let leaf {
            if leaf.page.isSame(as: last.leaf?.page) {
                count += max(0, last.index - index)
                index = max(index, last.index)
                break
            }
            // Keys that contradict each other may lead past the end.
            guard !isBehind(last) else { break }
            count += leaf.count - index
            index = leaf.count
        }
        return min(count, limit)
    }

    /// Whether this cursor's leaf stands to the right of another's.
    private func isBehind(_ other: ByteCursor) -> Bool {
        for (step, otherStep) in zip(path, other.path) where step.index != otherStep.index {
            return step.index > otherStep.index
        }
        return false
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
            arrive(at: try turn(at: step, to: Int(path[step].index) + 1) { _ in 0 }, 0)
        }
        return false
    }

    private mutating func preparePrevious() throws(DaybookError) -> Bool {
        while leaf != nil {
            if index > 0 { return true }
            guard let step = path.lastIndex(where: { step in step.index > 0 }) else { return false }
            let leaf = try turn(at: step, to: Int(path[step].index) - 1) { page in page.count }
            arrive(at: leaf, leaf.count)
        }
        return false
    }

    /// Takes the place that was found.
    private mutating func arrive(at leaf: BytePage, _ index: Int) {
        self.leaf = leaf
        self.index = index
        swap(&path, &pathAhead)
    }

    /// The leaf that is found from the root.
    private mutating func start(
        _ choose: (BytePage) throws(DaybookError) -> Int
    ) throws(DaybookError) -> BytePage {
        pathAhead.removeAll(keepingCapacity: true)
        return try descend(try ByteTree.root(root, in: table), root, choose)
    }

    /// The leaf that is found by going up to a step of the path, and down again by another child.
    private mutating func turn(
        at step: Int, to index: Int, _ choose: (BytePage) throws(DaybookError) -> Int
    ) throws(DaybookError) -> BytePage {
        let number = path[step].page
        let inner = BytePage(table.knownPage(number))
        pathAhead.removeAll(keepingCapacity: true)
        pathAhead.append(contentsOf: path[..<step])
        pathAhead.append(PathStep(number, index))
        let child = inner.child(index)
        let page = try ByteTree.child(child, inner.page.level - 1, in: table)
        return try descend(page, child, choose)
    }

    /// Goes down from a page to a leaf, noting the way in `pathAhead`.
    private mutating func descend(
        _ page: Page, _ number: UInt32, _ choose: (BytePage) throws(DaybookError) -> Int
    ) throws(DaybookError) -> BytePage {
        var page = page
        var number = number
        var level = page.level
        while level > 0 {
            let inner = BytePage(page)
            let index = try choose(inner)
            pathAhead.append(PathStep(number, index))
            number = inner.child(index)
            level -= 1
            page = try ByteTree.child(number, level, in: table)
        }
        return BytePage(page)
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
