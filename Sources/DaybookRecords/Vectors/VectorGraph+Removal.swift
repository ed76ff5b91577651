package import DaybookBytes
package import DaybookPages

extension VectorGraph {
    /// Removes the vector of an object; without one, changes nothing. Links the neighbours of the
    /// slot among each other. Cost: about that of an insertion.
    package mutating func remove(_ id: UInt64, in space: PageSpace) throws(DaybookError) {
        guard id > 0, let slot = try space.remove(trees.ids, id)?.first else { return }
        var head = try reader.head(trees)
        guard slot > 0, slot < head.next else { throw trees.contradiction("slot \(slot)") }
        let node = try node(slot)
        guard node.id == id else { throw trees.contradiction("two objects of slot \(slot)") }
        let level = VectorTrees.level(of: slot, form)
        var left: [[UInt64]] = []
        var linked: [UInt64] = []
        for layer in 0...level {
            try neighbors(slot, layer, head, into: &linked)
            left.append(linked)
            for other in linked {
                try space.remove(trees.links, VectorTrees.place(slot, layer), other)
                try space.remove(trees.links, VectorTrees.place(other, layer), slot)
            }
            if layer > 0 { try space.remove(trees.links, VectorTrees.place(slot, layer), slot) }
        }
        _ = try space.remove(trees.nodes, bytes: node.key.span)
        if head.entry == slot { head.entry = try highest(below: level, head) }
        _ = try space.put(trees.ids, 0, WordValue(first: head.next, second: head.entry))
        for layer in left.indices.reversed() where head.entry > 0 {
            try reconnect(left[layer], layer, head, in: space)
        }
    }

    /// A slot in the highest layer that has one; 0 in an empty graph.
    private func highest(below level: Int, _ head: VectorHead) throws(DaybookError) -> UInt64 {
        for layer in (0...level).reversed() where layer > 0 {
            let place = VectorTrees.place(0, layer)
            var cursor = try reader.pairs(trees.links, from: (place, 0))
            guard let pair = try cursor.next(), pair.first >> 56 == place >> 56 else { continue }
            let slot = pair.first - place
            guard slot > 0, slot < head.next else { throw trees.contradiction("slot \(slot)") }
            return slot
        }
        var cursor = try reader.bytes(trees.nodes)
        guard let entry = try cursor.next() else { return 0 }
        guard let slot = VectorTrees.slot(ofNode: entry.key), slot < head.next else {
            throw trees.contradiction("a node without a slot")
        }
        return slot
    }

    /// Links the former neighbours of a removed slot among each other, and searches new neighbours
    /// for slots without any.
    private mutating func reconnect(
        _ left: [UInt64], _ level: Int, _ head: VectorHead, in space: PageSpace
    ) throws(DaybookError) {
        for slot in left {
            var candidates: [VectorCandidate] = []
            for other in left where other != slot {
                candidates.append(
                    VectorCandidate(distance: try distance(slot, other), slot: other))
            }
            candidates.sort { $0.isNearer(than: $1) }
            let selected = try select(candidates, max(2, form.neighborCount / 4)).map(\.slot)
            try link(slot, selected, level, in: space)
        }
        var linked: [UInt64] = []
        for slot in left {
            try prune(slot, level, head, in: space)
            try neighbors(slot, level, head, into: &linked)
            guard linked.isEmpty, slot != head.entry,
                level <= VectorTrees.level(of: head.entry, form)
            else { continue }
            let vector = try vector(slot)
            let nearest = try searchLayer(
                vector, from: try descend(vector, to: level, head), level,
                width: form.searchCount, head)
            try link(slot, nearest, level, head, in: space)
        }
    }

    /// Removes all vectors. Slots are not used again, because vectors in memory belong to them.
    package func removeAll(in space: PageSpace) throws(DaybookError) {
        try space.removeVectors(ofIndex: trees.index)
    }
}

extension PageSpace {
    /// Removes all vectors of an index, if it has any. Slots are not used again, because vectors in
    /// memory belong to them. Visits each page.
    func removeVectors(ofIndex index: UInt32) throws(DaybookError) {
        let trees = VectorTrees(index)
        guard let head = try working.get(trees.ids, 0) else { return }
        try clear(trees.nodes)
        try clear(trees.links)
        try clear(trees.ids)
        _ = try put(trees.ids, 0, WordValue(first: head.first, second: 0))
    }
}
