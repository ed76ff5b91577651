package import DaybookBytes
package import DaybookPages

// Changes. The graph must read the writer's state of the space.
extension VectorGraph {
    /// The graph of an index in the state of the writer.
    package init(writing space: PageSpace, index: UInt32, _ form: VectorForm) {
        self.init(space.working, index: index, form, space.vectors)
    }

    /// The links that a slot may have in a layer.
    func linkCountMax(_ level: Int) -> Int {
        level == 0 ? 2 * form.neighborCount : form.neighborCount
    }

    /// Algorithm 1 of the paper: adds the vector of an object that has none in the index, as
    /// ``VectorForm/stored(_:)`` returns it. Cost: a search, and a tree path for each link.
    package mutating func insert(
        _ id: UInt64, _ vector: Span<UInt8>, in space: PageSpace
    ) throws(DaybookError) {
        guard vector.count == 4 * form.storedDimensions, id > 0 else {
            throw trees.contradiction("a new vector of \(vector.count) bytes")
        }
        var head = try reader.head(trees)
        let slot = head.next
        guard slot + 1 < VectorTrees.slotMax else {
            throw DaybookError(.outOfSpace, "A vector index has no numbers for more vectors.")
        }
        head.next += 1
        var key = ByteWriter(capacity: 8 + vector.count)
        key.uint64(slot.byteSwapped)
        key.append(vector)
        _ = try space.put(trees.nodes, bytes: key.span, id)
        _ = try space.put(trees.ids, id, WordValue(first: slot, second: 0))
        let padded = PaddedVector(littleEndian: vector)
        if memory.add([VectorNode(slot: slot, id: id, vector: padded)]) {
            directory = memory.directory
        }
        let level = VectorTrees.level(of: slot, form)
        for layer in 0...level where layer > 0 {
            try space.insert(trees.links, VectorTrees.place(slot, layer), slot)
        }
        if head.entry == 0 {
            head.entry = slot
        } else {
            try connect(slot, padded, level, head, in: space)
            if level > VectorTrees.level(of: head.entry, form) { head.entry = slot }
        }
        _ = try space.put(trees.ids, 0, WordValue(first: head.next, second: head.entry))
    }

    /// Links a slot in all its layers.
    private mutating func connect(
        _ slot: UInt64, _ vector: PaddedVector, _ level: Int, _ head: VectorHead,
        in space: PageSpace
    ) throws(DaybookError) {
        let top = min(level, VectorTrees.level(of: head.entry, form))
        var nearest = try descend(vector, to: top, head)
        for layer in (0...top).reversed() {
            nearest = try searchLayer(
                vector, from: nearest, layer, width: form.searchCount, head)
            try link(slot, nearest, layer, head, in: space)
        }
    }

    /// Links a slot with the best of some candidates, which are sorted.
    func link(
        _ slot: UInt64, _ linked: [UInt64], _ level: Int, in space: PageSpace
    ) throws(DaybookError) {
        for neighbor in linked {
            try space.insert(trees.links, VectorTrees.place(slot, level), neighbor)
            try space.insert(trees.links, VectorTrees.place(neighbor, level), slot)
        }
    }

    mutating func link(
        _ slot: UInt64, _ candidates: [VectorCandidate], _ level: Int, _ head: VectorHead,
        in space: PageSpace
    ) throws(DaybookError) {
        let others = candidates.filter { $0.slot != slot }
        let selected = try select(others, form.neighborCount).map(\.slot)
        try link(slot, selected, level, in: space)
        for neighbor in selected { try prune(neighbor, level, head, in: space) }
    }

    /// Algorithm 4 of the paper: from candidates in the order of their distances, the ones
    /// nearer to the base than to each selected one. Neighbours in all directions lead a search out
    /// of a cluster. With `isFilled`, the nearest others follow up to `count`.
    mutating func select(
        _ candidates: [VectorCandidate], _ count: Int, isFilled: Bool = false
    ) throws(DaybookError) -> [VectorCandidate] {
        var selected: [VectorCandidate] = []
        var rest: [VectorCandidate] = []
        for candidate in candidates {
            guard selected.count < count else { break }
            var isDiverse = true
            for other in selected
            where try distance(candidate.slot, other.slot) < candidate.distance {
                isDiverse = false
                break
            }
            if isDiverse { selected.append(candidate) } else { rest.append(candidate) }
        }
        if isFilled { selected += rest.prefix(count - selected.count) }
        return selected
    }

    /// Removes links of a slot that has too many. The other end keeps a minimum of links, so a slot
    /// in the middle of many may keep more.
    mutating func prune(
        _ slot: UInt64, _ level: Int, _ head: VectorHead, in space: PageSpace
    ) throws(DaybookError) {
        let most = linkCountMax(level)
        var linked: [UInt64] = []
        try neighbors(slot, level, head, into: &linked)
        // Some more than allowed, so that not each new link needs a selection.
        guard linked.count > most + most / 4 else { return }
        var candidates: [VectorCandidate] = []
        for other in linked {
            candidates.append(
                VectorCandidate(distance: try distance(slot, other), slot: other))
        }
        candidates.sort { $0.isNearer(than: $1) }
        let kept = Set(try select(candidates, most, isFilled: true).map(\.slot))
        for other in linked where !kept.contains(other) {
            var theirs: [UInt64] = []
            try neighbors(other, level, head, into: &theirs)
            guard theirs.count > form.neighborCount / 2 else { continue }
            try space.remove(trees.links, VectorTrees.place(slot, level), other)
            try space.remove(trees.links, VectorTrees.place(other, level), slot)
        }
    }
}
