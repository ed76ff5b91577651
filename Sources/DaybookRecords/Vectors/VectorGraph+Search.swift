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
        nearest = try searchLayer(
            query, from: nearest, 0, width: min(max(width, count), total), head)
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
    mutating func searchLayer(
        _ query: PaddedVector, from start: [VectorCandidate], _ level: Int, width: Int,
        _ head: VectorHead
    ) throws(DaybookError) -> [VectorCandidate] {
        var pool = CandidatePool(width: width)
        var visited = SlotSet(count: head.next)
        for candidate in start where visited.insert(candidate.slot) { pool.add(candidate) }
        var links = try reader.pairs(trees.links)
        var linked: [UInt64] = []
        var fresh: [UInt64] = []
        var distances: [Float] = []
        while let slot = pool.next() {
            try neighbors(slot, level, head, &links, into: &linked)
            fresh.removeAll(keepingCapacity: true)
            for neighbor in linked where visited.insert(neighbor) { fresh.append(neighbor) }
            try measure(query, fresh, into: &distances)
            for place in fresh.indices {
                pool.add(VectorCandidate(distance: distances[place], slot: fresh[place]))
            }
        }
        return pool.candidates
    }
}

/// The slots that a search has visited.
private struct SlotSet {
    /// A bit for each slot; in memory for up to this many slots.
    private static let bitCountMax: UInt64 = 1 << 24
    private var words: [UInt64]
    private var others: Set<UInt64> = []

    /// Creates an empty set for slots below `count`.
    init(count: UInt64) {
        let bitCount = min(count, Self.bitCountMax)
        words = [UInt64](repeating: 0, count: Int(truncatingIfNeeded: bitCount / 64) + 1)
    }

    /// Adds a slot; false if it is known.
    @inline(__always)
    mutating func insert(_ slot: UInt64) -> Bool {
        guard slot < Self.bitCountMax else { return others.insert(slot).inserted }
        let place = Int(truncatingIfNeeded: slot / 64)
        let bit = (1 as UInt64) << (slot % 64)
        guard words[place] & bit == 0 else { return false }
        words[place] |= bit
        return true
    }
}

/// The nearest candidates of a search, nearest first, and whether their neighbours were visited.
private struct CandidatePool {
    private struct Entry {
        var candidate: VectorCandidate
        var isExpanded = false
    }

    private let width: Int
    private var entries: [Entry] = []
    /// No candidate before this place is unexpanded.
    private var first = 0

    init(width: Int) {
        self.width = max(width, 1)
        entries.reserveCapacity(min(self.width, 1024) + 1)
    }

    var candidates: [VectorCandidate] { entries.map(\.candidate) }

    /// The nearest candidate whose neighbours were not visited.
    mutating func next() -> UInt64? {
        while first < entries.count {
            if !entries[first].isExpanded {
                entries[first].isExpanded = true
                return entries[first].candidate.slot
            }
            first += 1
        }
        return nil
    }

    @inline(__always)
    mutating func add(_ candidate: VectorCandidate) {
        if entries.count == width {
            guard candidate.isNearer(than: entries[width - 1].candidate) else { return }
            entries.removeLast()
        }
        insert(candidate)
    }

    private mutating func insert(_ candidate: VectorCandidate) {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].candidate.isNearer(than: candidate) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        entries.insert(Entry(candidate: candidate), at: low)
        first = min(first, low)
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
