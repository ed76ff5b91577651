package import DaybookBytes
import DaybookPages

/// An object and its distance.
package struct VectorNeighbor: Sendable, Equatable {
    package var id: UInt64
    /// The distance; under ``VectorMetric/euclidean`` its square.
    package var distance: Float

    package init(id: UInt64, distance: Float) {
        self.id = id
        self.distance = distance
    }

    /// Whether it is nearer; the ids decide between equal distances.
    package func isNearer(than other: VectorNeighbor) -> Bool {
        distance < other.distance || (distance == other.distance && id < other.id)
    }
}

// Searches.
extension VectorGraph {
    /// The approximately nearest objects, nearest first: up to `count`. `width` slots are compared
    /// at each step (ef), at least `count`; a larger number finds more of the exact result.
    ///
    /// Cost: about 30 · `width` distances and `width` tree lookups.
    package mutating func search(
        _ query: [Float], count: Int, width: Int
    ) throws(DaybookError) -> [VectorNeighbor] {
        let head = try reader.head(trees)
        guard head.entry > 0, count > 0 else { return [] }
        let query = PaddedVector(query)
        var nearest = try descend(query, to: 0, head)
        let total = try reader.count(trees.nodes)
        let links = try reader.name(ofRoot: trees.links).flatMap { name in
            memory.links(LinksName(name.words.0, name.words.1), slotCount: head.next)
        }
        nearest = try searchLayer(
            query, from: nearest, 0, width: min(max(width, count), total), head, links)
        var found: [VectorNeighbor] = []
        for candidate in nearest.prefix(count) {
            found.append(
                VectorNeighbor(id: try id(candidate.slot), distance: candidate.distance))
        }
        return found
    }

    /// The exactly nearest objects, nearest first: up to `count`. Cost: a distance for each vector
    /// of the index.
    package mutating func searchAll(
        _ query: [Float], count: Int
    ) throws(DaybookError) -> [VectorNeighbor] {
        guard count > 0 else { return [] }
        let query = PaddedVector(query)
        var nearest = NearestNeighbors(count: count)
        var slots: [UInt64] = []
        var ids: [UInt64] = []
        var distances: [Float] = []
        var cursor = try reader.words(trees.ids, from: 1)
        while true {
            let entry = try cursor.next()
            if let entry {
                slots.append(entry.value.first)
                ids.append(entry.key)
            }
            guard entry == nil || slots.count >= 256 else { continue }
            try measure(query, slots, into: &distances)
            for (id, distance) in zip(ids, distances) {
                nearest.add(VectorNeighbor(id: id, distance: distance))
            }
            if entry == nil { return nearest.sorted() }
            slots.removeAll(keepingCapacity: true)
            ids.removeAll(keepingCapacity: true)
        }
    }

    /// The exactly nearest of some objects, nearest first: up to `count`. Objects without a vector
    /// in the index are left out. Cost: a tree lookup and a distance for each id.
    package mutating func search(
        _ query: [Float], among ids: [UInt64], count: Int
    ) throws(DaybookError) -> [VectorNeighbor] {
        guard count > 0 else { return [] }
        let query = PaddedVector(query)
        var nearest = NearestNeighbors(count: count)
        var slots: [UInt64] = []
        var known: [UInt64] = []
        for id in ids {
            guard id > 0, let slot = try reader.get(trees.ids, id)?.first else { continue }
            slots.append(slot)
            known.append(id)
        }
        var distances: [Float] = []
        try measure(query, slots, into: &distances)
        for (id, distance) in zip(known, distances) {
            nearest.add(VectorNeighbor(id: id, distance: distance))
        }
        return nearest.sorted()
    }

    /// The slot of the layer above `level` where a search in `level` begins, after a search through
    /// all higher layers.
    mutating func descend(
        _ query: PaddedVector, to level: Int, _ head: VectorHead
    ) throws(DaybookError) -> [VectorCandidate] {
        var distances: [Float] = []
        try measure(query, [head.entry], into: &distances)
        var nearest = [VectorCandidate(distance: distances[0], slot: head.entry)]
        var above = VectorTrees.level(of: head.entry, form)
        while above > level {
            nearest = try searchLayer(query, from: nearest, above, width: 1, head)
            above -= 1
        }
        return nearest
    }

    /// Algorithm 2 of the paper: the nearest slots of a layer, nearest first, up to `width`.
    ///
    /// - Parameter known: The links of the layer in memory; other links are read from the tree, and
    ///   added.
    mutating func searchLayer(
        _ query: PaddedVector, from start: [VectorCandidate], _ level: Int, width: Int,
        _ head: VectorHead, _ known: LinkMemory? = nil
    ) throws(DaybookError) -> [VectorCandidate] {
        var search = LayerSearch(query, directory, width: width, slotCount: head.next, known)
        for candidate in start { search.begin(at: candidate.slot, candidate.distance) }
        var links = try reader.pairs(trees.links)
        var linked: [UInt64] = []
        // The links that were read before their slot became the nearest candidate.
        var ahead: (slot: UInt64, linked: [UInt64]) = (0, [])
        while let slot = search.next() {
            var following = search.following
            if let next = following {
                if next == ahead.slot || search.touch(linksOf: next) {
                    following = nil
                } else {
                    try links.approach(VectorTrees.place(next, level))
                }
            }
            var isInside = search.visit(linksOf: slot)
            if isInside == nil {
                if slot == ahead.slot {
                    swap(&linked, &ahead.linked)
                } else {
                    // The other cursor has approached the following slot.
                    var links = links
                    try links.seconds(of: VectorTrees.place(slot, level), into: &linked)
                }
                known?.add(linked, of: slot)
                isInside = search.visit(linked)
            }
            if slot == ahead.slot { ahead.slot = 0 }
            guard isInside ?? false else {
                throw trees.contradiction("a link from slot \(slot) to an unknown slot")
            }
            if let following {
                try links.seconds(
                    approached: VectorTrees.place(following, level), into: &ahead.linked)
                ahead.slot = following
            }
            let missing = search.missing
            search.measure()
            guard !missing.isEmpty else { continue }
            var distances: [Float] = []
            try measure(query, missing, into: &distances)
            for place in missing.indices { search.add(missing[place], distances[place]) }
            search.use(directory)
        }
        return (0..<search.count).map { place in
            VectorCandidate(distance: search[place].distance, slot: search[place].slot)
        }
    }
}

/// The nearest of many neighbours.
package struct NearestNeighbors {
    private let count: Int
    /// Up to twice the wanted number; sorted and cut when it is full.
    private var kept: [VectorNeighbor] = []
    private var limit: VectorNeighbor?

    package init(count: Int) { self.count = count }

    package mutating func add(_ neighbor: VectorNeighbor) {
        if let limit, !neighbor.isNearer(than: limit) { return }
        kept.append(neighbor)
        guard kept.count >= 2 * min(count, 1 << 40) + 16 else { return }
        cut()
    }

    private mutating func cut() {
        kept.sort { $0.isNearer(than: $1) }
        guard kept.count > count else { return }
        kept.removeLast(kept.count - count)
        limit = kept.last
    }

    /// The wanted number, nearest first.
    package func sorted() -> [VectorNeighbor] {
        var copy = self
        copy.cut()
        return copy.kept
    }
}
