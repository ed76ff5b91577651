internal import DaybookBytes

// Removes an entry from the current tree of byte strings.
extension PageWriter {
    /// Removes `key` and returns its value; nil if it does not exist.
    mutating func remove(_ key: KeyBytes) throws(DaybookError) -> UInt64? {
        guard current.root != 0 else { return nil }
        let place = try descend(key)
        guard place.isFound else { return nil }
        try reserve(PageHeader.levelMax)
        copyBytePath()
        let leaf = BytePage(table.knownPage(path[depth].page))
        let old = leaf.value(place.index)
        if leaf.isLong(place.index) { retire(leaf.chain(place.index)) }
        leaf.remove(at: place.index)
        current.count &-= 1
        current.lastLeaf = 0
        if leaf.usedLength < BytePage.capacity / 4 { tidyBytes() }
        return old
    }

    /// Frees pages after the leaf of the path became small: removes empty pages, merges small ones
    /// with a neighbour, and replaces a root with a single child by the child.
    private mutating func tidyBytes() {
        var step = depth
        var isEmpty = BytePage(table.knownPage(path[step].page)).count == 0
        while step > 0 {
            let page = BytePage(table.knownPage(path[step].page))
            let parent = BytePage(table.knownPage(path[step - 1].page))
            let index = Int(path[step - 1].index)
            if isEmpty {
                retire(path[step].page, birth: page.page.birth)
                // A page is empty if it loses its only child. An inner page has one child more than
                // keys.
                isEmpty = parent.count == 0
                if !isEmpty { removeChild(parent, at: index) }
            } else if page.usedLength < BytePage.capacity / 4, mergeBytes(step) {
                isEmpty = false
            } else {
                break
            }
            step -= 1
        }
        if step == 0 && isEmpty {
            retire(current.root, birth: table.knownPage(current.root).birth)
            current.root = 0
            return
        }
        while true {
            let root = BytePage(table.knownPage(current.root))
            guard !root.isLeaf, root.count == 0 else { return }
            let child = root.child(0)
            // A child that is not in memory keeps its parent, because removing reads no pages. So
            // does a child with the wrong kind or level, because a descent from it might not end.
            let tag = PageKind.bytes.tag(level: root.page.level - 1)
            guard table.residentPage(child)?.tag == tag else { return }
            retire(current.root, birth: root.page.birth)
            current.root = child
        }
    }

    /// Removes a child, and one of the keys next to it.
    private mutating func removeChild(_ parent: BytePage, at index: Int) {
        if index == 0 { parent.setChild(parent.child(1), at: 0) }
        removeKey(parent, at: max(index - 1, 0))
    }

    private mutating func removeKey(_ parent: BytePage, at index: Int) {
        if parent.isLong(index) { retire(parent.chain(index)) }
        parent.remove(at: index)
    }

    /// Moves all keys of a neighbour into the page at `step` if that leaves room for changes. A
    /// neighbour that is not in memory is not merged, because removing reads no pages.
    private mutating func mergeBytes(_ step: Int) -> Bool {
        let parent = BytePage(table.knownPage(path[step - 1].page))
        let index = Int(path[step - 1].index)
        let number = path[step].page
        let page = table.knownPage(number)
        for left in [index, index - 1] where left >= 0 && left < parent.count {
            let otherNumber = parent.child(left == index ? index + 1 : left)
            guard let other = table.residentPage(otherNumber), other.tag == page.tag,
                areChainsResident(BytePage(other))
            else { continue }
            scratch.page.copy(from: page, at: 0, to: 0, count: Page.size)
            let leftPage = left == index ? scratch.page : other
            let rightPage = left == index ? other : scratch.page
            let isLeaf = page.level == 0
            cells.removeAll()
            cells.append(BytePage(leftPage), in: table)
            if !isLeaf {
                var between = ByteCell.of(parent, left, in: table)
                between.payload = UInt64(rightPage.link)
                cells.append(between)
            }
            cells.append(BytePage(rightPage), in: table)
            let all = 0..<cells.count
            guard cells.length(all, isLeaf: isLeaf) <= BytePage.capacity * 3 / 4 else { continue }
            cells.write(all, to: page, link: leftPage.link)
            retire(otherNumber, birth: other.birth)
            parent.setChild(number, at: left)
            // The separator of two inner pages moved down with its chain.
            if isLeaf { removeKey(parent, at: left) } else { parent.remove(at: left) }
            return true
        }
        return false
    }

    private func areChainsResident(_ page: BytePage) -> Bool {
        guard source.isLazy else { return true }
        return (0..<page.count).allSatisfy { index in
            !page.isLong(index) || page.chain(index).isResident(in: table)
        }
    }
}
