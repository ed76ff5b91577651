package import DaybookBytes
package import DaybookPages

/// The trees of a nearest-neighbour index: a graph of *slots*, numbers from 1 that rise and are
/// never used again. A slot's vector never changes; an object with a changed vector gets another
/// slot.
struct VectorTrees {
    let index: UInt32
    /// Slot, big-endian, and the numbers of the vector, little-endian → id.
    let nodes: TreeID
    /// 0 → (the next slot, the slot where searches begin, or 0); id → (slot, 0).
    let ids: TreeID
    /// (layer and slot, slot): links in both directions. In the layers above the lowest, a slot is
    /// also linked with itself.
    let links: TreeID

    init(_ index: UInt32) {
        self.index = index
        nodes = IndexTree.vectors(of: index)
        ids = IndexTree.vectorIds(of: index)
        links = IndexTree.vectorLinks(of: index)
    }

    /// Slots are below this, because layers share the word in ``links``.
    static let slotMax: UInt64 = 1 << 56
    static let levelMax = 15

    /// The first word of a link.
    static func place(_ slot: UInt64, _ level: Int) -> UInt64 { UInt64(level) << 56 | slot }

    /// The highest layer of a slot: a share of 1/M of the slots of a layer is in the next one. It
    /// follows from a hash of the slot, an output of SplitMix64 with the seed 0 (G. Steele, D. Lea
    /// and C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014), so that equal
    /// histories give equal graphs.
    static func level(of slot: UInt64, _ form: VectorForm) -> Int {
        var hash = (slot &+ 1) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        hash ^= hash >> 31
        let share = UInt64(form.neighborCount)
        var level = 0
        while level < levelMax, hash < .max / share {
            hash *= share
            level += 1
        }
        return level
    }

    /// The first bytes of the node of a slot.
    static func prefix(_ slot: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: slot >> UInt64(56 - 8 * $0)) }
    }

    /// The slot of a node; nil if the bytes are too short.
    static func slot(ofNode key: [UInt8]) -> UInt64? {
        key.span.loadLittleEndian(UInt64.self, at: 0)?.byteSwapped
    }

    func contradiction(_ what: String) -> DaybookError {
        AppliedState.contradiction("vector index \(index) has \(what)")
    }
}

/// The state of a graph.
struct VectorHead: Equatable {
    /// The lowest slot that was never used.
    var next: UInt64 = 1
    /// The slot where searches begin: in the highest layer of all; 0 in an empty graph.
    var entry: UInt64 = 0
}

extension PageReader {
    /// The state of a graph. Throws `.corruption` with `details["snapshot"]` for impossible
    /// numbers. Cost: a tree lookup.
    func head(_ trees: VectorTrees) throws(DaybookError) -> VectorHead {
        guard let value = try get(trees.ids, 0) else { return VectorHead() }
        let head = VectorHead(next: value.first, entry: value.second)
        guard head.next > 0, head.next < VectorTrees.slotMax, head.entry < head.next else {
            throw trees.contradiction("the slots \(head.next) and \(head.entry)")
        }
        return head
    }

    /// Passes the objects of a vector index, ascending, with the bytes of their vectors. Throws
    /// `.corruption` with `details["snapshot"]` for an object without a vector.
    func forEachVector(
        ofIndex index: UInt32, _ body: (UInt64, Span<UInt8>) -> Void
    ) throws(DaybookError) {
        let trees = VectorTrees(index)
        var cursor = try words(trees.ids, from: 1)
        while let entry = try cursor.next() {
            let slot = entry.value.first
            var nodes = try bytes(trees.nodes, from: VectorTrees.prefix(slot))
            guard let node = try nodes.next(), VectorTrees.slot(ofNode: node.key) == slot,
                node.value == entry.key
            else { throw trees.contradiction("no vector of object \(entry.key)") }
            body(entry.key, node.key.span.extracting(8...))
        }
    }

    /// The number of vectors in a vector index. Cost: two tree lookups.
    package func vectorCount(ofIndex index: UInt32) throws(DaybookError) -> Int {
        try count(VectorTrees(index).nodes)
    }
}
