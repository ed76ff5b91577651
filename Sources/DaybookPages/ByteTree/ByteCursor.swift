package import DaybookBytes

/// A cursor in a map from byte strings, in lexicographic order; a string sorts before its
/// extensions. The cursor is between two entries: ``next()`` returns the entry after it and
/// ``previous()`` the entry before it, so one undoes the other. Valid as long as its reader.
package struct ByteCursor {
    private let table: PageTable
    private let root: UInt32
    /// The inner pages from the root down, with the child taken in each.
    private var path: [PathStep] = []
    /// The path under construction. It replaces `path` when it is complete, so a failed step leaves
    /// the cursor unchanged and can be retried.
    private var pathAhead: [PathStep] = []
    private var leaf: BytePage?
    private var index = 0

    init(root: UInt32, in table: PageTable) {
        self.root = root
        self.table = table
    }

    /// Moves before the first entry whose key is at least `key`.
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

    /// Finds the pages of the path again, so that the cursor no longer depends on memory that it
    /// found before.
    package mutating func reload() throws(DaybookError) {
        guard leaf != nil else { return }
        var page = try ByteTree.root(root, in: table)
        for step in path {
            let inner = BytePage(page)
            page = try ByteTree.child(
                inner.child(Int(step.index)), inner.page.level - 1, in: table)
        }
        leaf = BytePage(page)
    }

    /// Moves after the last entry.
    package mutating func seekToEnd() throws(DaybookError) {
        guard root != 0 else { return }
        let leaf = try start { page in page.count }
        arrive(at: leaf, leaf.count)
    }

    /// Returns the entry after the cursor and moves past it; nil at the end. The key is a copy.
    package mutating func next() throws(DaybookError) -> (key: [UInt8], value: UInt64)? {
        guard try prepareNext(), let leaf else { return nil }
        let key = try ByteTree.key(leaf, index, in: table)
        defer { index += 1 }
        return (key, leaf.value(index))
    }

    /// Returns the entry before the cursor and moves before it; nil at the beginning.
    package mutating func previous() throws(DaybookError) -> (key: [UInt8], value: UInt64)? {
        guard try preparePrevious(), let leaf else { return nil }
        let key = try ByteTree.key(leaf, index - 1, in: table)
        index -= 1
        return (key, leaf.value(index))
    }

    /// Appends the values of up to `limit` entries to `values` and returns their number. It is
    /// lower than `limit` only at the end, or if the next key is at least `end`. Copies no keys;
    /// takes a few ns per entry.
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

    /// Appends the values of up to `limit` entries before the cursor to `values`, nearest first,
    /// and returns their number. It is lower than `limit` only at the beginning, or if the next key
    /// is below `start`.
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

    /// Moves past the entries whose keys are below `end` and returns their number. If there are
    /// more than `limit`, returns `limit`, and the cursor ends at an unspecified later position.
    /// Costs one access per leaf.
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
            // In damaged pages, contradictory keys may lead past the end.
            guard !isBehind(last) else { break }
            count += leaf.count - index
            index = leaf.count
        }
        return min(count, limit)
    }

    /// Whether this cursor's leaf is to the right of another cursor's leaf.
    private func isBehind(_ other: ByteCursor) -> Bool {
        for (step, otherStep) in zip(path, other.path) where step.index != otherStep.index {
            return step.index > otherStep.index
        }
        return false
    }

    // MARK: Moving

    private mutating func prepareNext() throws(DaybookError) -> Bool {
        while let leaf {
            if index < leaf.count { return true }
            guard let step = try lastStepWithNext() else { return false }
            arrive(at: try turn(at: step, to: Int(path[step].index) + 1) { _ in 0 }, 0)
        }
        return false
    }

    /// The lowest step of the path whose page has a child to the right.
    private func lastStepWithNext() throws(DaybookError) -> Int? {
        for step in path.indices.reversed() {
            // Inner pages may be evicted meanwhile.
            let page = BytePage(try table.page(path[step].page))
            if Int(path[step].index) < page.count { return step }
        }
        return nil
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

    /// Moves to the position that was found.
    private mutating func arrive(at leaf: BytePage, _ index: Int) {
        self.leaf = leaf
        self.index = index
        swap(&path, &pathAhead)
    }

    /// Descends from the root to a leaf.
    private mutating func start(
        _ choose: (BytePage) throws(DaybookError) -> Int
    ) throws(DaybookError) -> BytePage {
        pathAhead.removeAll(keepingCapacity: true)
        return try descend(try ByteTree.root(root, in: table), root, choose)
    }

    /// Goes up to a step of the path and descends through another child to a leaf.
    private mutating func turn(
        at step: Int, to index: Int, _ choose: (BytePage) throws(DaybookError) -> Int
    ) throws(DaybookError) -> BytePage {
        let number = path[step].page
        let inner = BytePage(try table.page(number))
        pathAhead.removeAll(keepingCapacity: true)
        pathAhead.append(contentsOf: path[..<step])
        pathAhead.append(PathStep(number, index))
        let child = inner.child(index)
        let page = try ByteTree.child(child, inner.page.level - 1, in: table)
        return try descend(page, child, choose)
    }

    /// Descends from a page to a leaf and records the path in `pathAhead`.
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
    /// A cursor in a map from byte strings, before the first key that is at least `key`.
    package func bytes(
        _ tree: TreeID, from key: [UInt8] = []
    ) throws(DaybookError) -> ByteCursor {
        var cursor = ByteCursor(root: try root(of: tree, .bytes) ?? 0, in: table)
        try cursor.seek(to: key)
        return cursor
    }
}
