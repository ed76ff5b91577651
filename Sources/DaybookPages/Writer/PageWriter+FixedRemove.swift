internal import DaybookBytes

// Removes an entry from the current tree of fixed-size entries.
extension PageWriter {
    /// Removes `key` and returns its value; nil if it does not exist.
    mutating func remove<Layout: FixedLayout>(
        _: Layout.Type, _ key: Layout.Key
    ) throws(DaybookError) -> Layout.Value? {
        if let leaf = rememberedLeaf(Layout.self, key) {
            let (index, isFound) = leaf.locate(key)
            guard isFound else { return nil }
            if leaf.count > Layout.leafCapacity / 4 {
                let old = leaf.value(index)
                leaf.remove(at: index)
                current.count &-= 1
                return old
            }
        }
        guard current.root != 0 else { return nil }
        let range = try descend(Layout.self, key)
        let (index, isFound) = FixedLeaf<Layout>(table.knownPage(path[depth].page)).locate(key)
        guard isFound else { return nil }
        try reserve(PageHeader.levelMax)
        copyPath(Layout.self)
        let leaf = FixedLeaf<Layout>(table.knownPage(path[depth].page))
        let old = leaf.value(index)
        leaf.remove(at: index)
        current.count &-= 1
        if leaf.count >= Layout.leafCapacity / 4 {
            rememberLeaf(range)
        } else {
            current.leaf = 0
            tidy(Layout.self)
        }
        return old
    }

    /// Frees pages after the leaf of the path became small: removes empty pages, merges small ones
    /// with a neighbour, and replaces a root with a single child by the child.
    private mutating func tidy<Layout: FixedLayout>(_: Layout.Type) {
        var step = depth
        while step > 0 {
            let page = table.knownPage(path[step].page)
            let isLeaf = step == depth
            if page.count == 0 {
                let parent = FixedInner<Layout>(table.knownPage(path[step - 1].page))
                parent.remove(at: Int(path[step - 1].index))
                retire(path[step].page, birth: page.birth)
            } else if page.count < (isLeaf ? Layout.leafCapacity : Layout.innerCapacity) / 4 {
                guard merge(Layout.self, step) else { break }
            } else {
                break
            }
            step -= 1
        }
        lowerRoot(Layout.self)
    }

    private mutating func lowerRoot<Layout: FixedLayout>(_: Layout.Type) {
        let root = table.knownPage(current.root)
        if root.count == 0 {
            retire(current.root, birth: root.birth)
            current.root = 0
            return
        }
        while true {
            let page = table.knownPage(current.root)
            guard page.level > 0, page.count == 1 else { return }
            let child = FixedInner<Layout>(page).child(0)
            // A child that is not in memory keeps its parent, because removing reads no pages. So
            // does a child with the wrong kind or level, because a descent from it might not end.
            guard table.residentPage(child)?.tag == Layout.kind.tag(level: page.level - 1) else {
                return
            }
            retire(current.root, birth: page.birth)
            current.root = child
        }
    }

    /// Moves all entries of a neighbour into the page at `step` if that leaves room for changes. A
    /// neighbour that is not in memory is not merged, because removing reads no pages.
    private mutating func merge<Layout: FixedLayout>(_: Layout.Type, _ step: Int) -> Bool {
        let parent = FixedInner<Layout>(table.knownPage(path[step - 1].page))
        let index = Int(path[step - 1].index)
        let page = table.knownPage(path[step].page)
        let capacity = step == depth ? Layout.leafCapacity : Layout.innerCapacity
        for neighbour in [index + 1, index - 1] where neighbour >= 0 && neighbour < parent.count {
            let number = parent.child(neighbour)
            guard let other = table.residentPage(number), other.tag == page.tag,
                other.count + page.count <= capacity * 3 / 4
            else { continue }
            if neighbour > index {
                append(Layout.self, other, to: page, isLeaf: step == depth)
                parent.remove(at: neighbour)
            } else {
                prepend(Layout.self, other, to: page, isLeaf: step == depth)
                parent.setChild(path[step].page, at: neighbour)
                parent.remove(at: index)
            }
            retire(number, birth: other.birth)
            return true
        }
        return false
    }

    private func append<Layout: FixedLayout>(
        _: Layout.Type, _ other: Page, to page: Page, isLeaf: Bool
    ) {
        if isLeaf {
            FixedLeaf<Layout>(page).append(FixedLeaf(other))
        } else {
            FixedInner<Layout>(page).append(FixedInner(other))
        }
    }

    private func prepend<Layout: FixedLayout>(
        _: Layout.Type, _ other: Page, to page: Page, isLeaf: Bool
    ) {
        if isLeaf {
            FixedLeaf<Layout>(page).prepend(FixedLeaf(other))
        } else {
            FixedInner<Layout>(page).prepend(FixedInner(other))
        }
    }
}
