internal import DaybookBytes

// Puts an entry in the current tree of fixed-size entries.
extension PageWriter {
    /// Sets the value of `key` and returns the previous value.
    @inline(__always)
    mutating func put<Layout: FixedLayout>(
        _: Layout.Type, _ key: Layout.Key, _ value: Layout.Value
    ) throws(DaybookError) -> Layout.Value? {
        if let leaf = rememberedLeaf(Layout.self, key) {
            let (index, isFound) = leaf.locate(key)
            if isFound {
                let old = leaf.value(index)
                leaf.setValue(value, at: index)
                return old
            }
            if !leaf.isFull {
                leaf.insert(key, value, at: index)
                noteInserted(key)
                return nil
            }
        }
        return try putFromRoot(Layout.self, key, value)
    }

    @inline(__always)
    private mutating func noteInserted<Key: FixedWidthInteger & UnsignedInteger>(_ key: Key) {
        // The catalog's count wraps below 0 in a space that was opened from a snapshot, because it
        // starts at 0. Nothing uses that count.
        current.count &+= 1
        current.lastInserted = UInt128(truncatingIfNeeded: key)
    }

    @inline(never)
    private mutating func putFromRoot<Layout: FixedLayout>(
        _: Layout.Type, _ key: Layout.Key, _ value: Layout.Value
    ) throws(DaybookError) -> Layout.Value? {
        try reserve(3 * PageHeader.levelMax)
        if current.root == 0 {
            depth = 0
            current.root = makePage(Layout.kind, level: 0)
            path[0] = PathStep(current.root, 0)
            FixedLeaf<Layout>(table.knownPage(current.root)).insert(key, value, at: 0)
            touch()
            noteInserted(key)
            return nil
        }
        let range = try descend(Layout.self, key)
        // Copying comes before searching: afterwards the copy is in the cache, while the old leaf
        // probably was not.
        copyPath(Layout.self)
        let leaf = FixedLeaf<Layout>(table.knownPage(path[depth].page))
        let (index, isFound) = leaf.locate(key)
        if isFound {
            let old = leaf.value(index)
            leaf.setValue(value, at: index)
            rememberLeaf(range)
            return old
        }
        if depth > 0 && key < range.low { lowerFirstKeys(Layout.self, to: key) }
        if leaf.isFull {
            split(leaf, for: key, value, at: index, range)
        } else {
            leaf.insert(key, value, at: index)
            rememberLeaf(range)
        }
        noteInserted(key)
        return nil
    }

    /// `key` is below all keys of the leftmost leaf, so it becomes the first key of the pages
    /// above.
    private mutating func lowerFirstKeys<Layout: FixedLayout>(_: Layout.Type, to key: Layout.Key) {
        for step in 0..<depth where path[step].index == 0 {
            let inner = FixedInner<Layout>(table.knownPage(path[step].page))
            if key < inner.key(0) { inner.setKey(key, at: 0) }
        }
    }

    /// Chooses where to divide a full leaf, and on which side the new entry is inserted.
    ///
    /// A run of rising or falling keys, at the end of the tree or between other keys, leaves full
    /// leaves. Other leaves are halved.
    private func cut<Layout: FixedLayout>(
        _ leaf: FixedLeaf<Layout>, at index: Int, _ range: FixedRange<Layout.Key>
    ) -> (cut: Int, goesLeft: Bool, run: KeyRun?) {
        let count = leaf.count
        let middle = count / 2
        if index >= middle {
            let last = UInt128(truncatingIfNeeded: leaf.key(index - 1))
            if (index == count && range.isRightmost) || current.lastInserted == last {
                return (index, false, .rising)
            }
        }
        if index <= middle {
            let next = UInt128(truncatingIfNeeded: leaf.key(index))
            if (index == 0 && range.isLeftmost) || current.lastInserted == next {
                return (index, true, .falling)
            }
        }
        return (middle, index <= middle, nil)
    }

    /// Divides a full leaf and inserts the entry.
    private mutating func split<Layout: FixedLayout>(
        _ leaf: FixedLeaf<Layout>, for key: Layout.Key, _ value: Layout.Value, at index: Int,
        _ range: FixedRange<Layout.Key>
    ) {
        let (cut, goesLeft, run) = cut(leaf, at: index, range)
        let rightNumber = makePage(Layout.kind, level: 0)
        let right = FixedLeaf<Layout>(table.knownPage(rightNumber))
        leaf.moveEntries(from: cut, to: right)
        if goesLeft {
            leaf.insert(key, value, at: index)
        } else {
            right.insert(key, value, at: index - cut)
        }
        let separator = right.key(0)
        let lowest = leaf.key(0)
        insertChild(Layout.self, separator, rightNumber, lowest: lowest, run)
        // The next change is likely to be in the leaf of this entry.
        var range = range
        if goesLeft {
            range.high = separator &- 1
            current.leaf = path[depth].page
        } else {
            range.low = separator
            current.leaf = rightNumber
        }
        if range.isLeftmost && goesLeft { range.low = lowest }
        current.leafSequence = sequence
        current.leafLow = UInt128(truncatingIfNeeded: range.low)
        current.leafHigh = UInt128(truncatingIfNeeded: range.high)
    }

    /// Inserts a new page into the parent of the page it was split from and splits full parents in
    /// turn. `lowest` is not greater than any key below the page that was split.
    private mutating func insertChild<Layout: FixedLayout>(
        _: Layout.Type, _ separator: Layout.Key, _ child: UInt32, lowest: Layout.Key,
        _ run: KeyRun?
    ) {
        var separator = separator
        var child = child
        var lowest = lowest
        var step = depth
        while step > 0 {
            step -= 1
            let inner = FixedInner<Layout>(table.knownPage(path[step].page))
            let index = Int(path[step].index) + 1
            guard inner.isFull else {
                inner.insert(separator, child, at: index)
                return
            }
            let cut = run == .rising && index == inner.count ? index : inner.count / 2
            let rightNumber = makePage(Layout.kind, level: inner.page.level)
            let right = FixedInner<Layout>(table.knownPage(rightNumber))
            inner.moveEntries(from: cut, to: right)
            if index < cut || (index == cut && index < Layout.innerCapacity) {
                inner.insert(separator, child, at: index)
                Layout.prepareGuess(right)
            } else {
                right.insert(separator, child, at: index - cut)
                Layout.prepareGuess(inner)
            }
            separator = right.key(0)
            child = rightNumber
            lowest = inner.key(0)
        }
        let level = table.knownPage(child).level + 1
        let root = makePage(Layout.kind, level: level)
        let inner = FixedInner<Layout>(table.knownPage(root))
        inner.insert(lowest, current.root, at: 0)
        inner.insert(separator, child, at: 1)
        current.root = root
    }
}
