package import DaybookBytes
package import DaybookPages

/// A hierarchical navigable small-world graph, after Y. A. Malkov and D. A. Yashunin, "Efficient
/// and Robust Approximate Nearest Neighbor Search Using Hierarchical Navigable Small World Graphs",
/// IEEE Transactions on Pattern Analysis and Machine Intelligence 42(4), 2020.
///
/// Each slot is in the lowest layer, and a random share of the slots of a layer is in the next. A
/// search goes from a slot to nearer neighbours, layer by layer. Different from the paper, links
/// have both directions, so that a vector can be removed: its neighbours are linked among each
/// other.
///
/// Reads one version, or the writer's state. For one thread. Every call throws `.corruption` with
/// `details["snapshot"]` for damaged trees.
package struct VectorGraph {
    let reader: PageReader
    let form: VectorForm
    let trees: VectorTrees
    let memory: VectorMemory
    var directory: VectorDirectory

    /// A graph in a version, or in the writer's state.
    package init(
        _ reader: PageReader, index: UInt32, _ form: VectorForm, _ memories: VectorMemories
    ) {
        self.reader = reader
        self.form = form
        trees = VectorTrees(index)
        memory = memories.memory(ofIndex: index, form.metric, dimensions: form.storedDimensions)
        directory = memory.directory
    }

    // MARK: Vectors

    /// The number of vectors. Cost: a tree lookup.
    package func count() throws(DaybookError) -> Int { try reader.count(trees.nodes) }

    /// The id and the vector of a slot. Throws `.corruption` if it does not exist. Cost: a
    /// tree path.
    func node(_ slot: UInt64) throws(DaybookError) -> (id: UInt64, key: [UInt8]) {
        var cursor = try reader.bytes(trees.nodes, from: VectorTrees.prefix(slot))
        guard let entry = try cursor.next(), VectorTrees.slot(ofNode: entry.key) == slot,
            entry.key.count == 8 + 4 * form.storedDimensions
        else { throw trees.contradiction("no vector for slot \(slot)") }
        return (entry.value, entry.key)
    }

    /// The id of the object of a slot, from memory or from the tree.
    func id(_ slot: UInt64) throws(DaybookError) -> UInt64 {
        if let known = directory.id(slot) { return known }
        return try node(slot).id
    }

    /// The vector of a slot, from memory or from the tree.
    mutating func vector(_ slot: UInt64) throws(DaybookError) -> PaddedVector {
        if let known = directory.copy(slot, count: form.storedDimensions) { return known }
        let key = try node(slot).key
        return PaddedVector(littleEndian: key.span.extracting(8...))
    }

    /// Replaces `distances` by the distances of slots from a vector. Loads the vectors that are not
    /// in memory, with their adjacent slots if there is room.
    mutating func measure(
        _ query: PaddedVector, _ slots: [UInt64], into distances: inout [Float]
    ) throws(DaybookError) {
        distances.removeAll(keepingCapacity: true)
        directory.distances(from: query, to: slots, into: &distances)
        for place in slots.indices where distances[place].isNaN {
            if directory.copy(slots[place], count: form.storedDimensions) == nil {
                _ = try load(slots[place])
            }
            distances[place] = query.distance(form.metric, to: try vector(slots[place]))
            // Huge numbers: their distance is infinite, or infinite minus infinite.
            if distances[place].isNaN { distances[place] = .infinity }
        }
    }

    /// The distance of two slots.
    mutating func distance(_ slot: UInt64, _ other: UInt64) throws(DaybookError) -> Float {
        let distance = directory.distance(slot, other)
        guard distance.isNaN else { return distance }
        for slot in [slot, other] { _ = try load(slot) }
        let loaded = directory.distance(slot, other)
        guard loaded.isNaN else { return loaded }
        let exact = try vector(slot).distance(form.metric, to: try vector(other))
        return exact.isNaN ? .infinity : exact
    }

    /// Loads the vectors of a slot and of adjacent slots. Returns false without room.
    private mutating func load(_ slot: UInt64) throws(DaybookError) -> Bool {
        guard memory.makesRoom() else { return false }
        let first = slot - slot % VectorMemory.blockSlotCount
        var nodes: [VectorNode] = []
        var cursor = try reader.bytes(trees.nodes, from: VectorTrees.prefix(first))
        while let entry = try cursor.next(), let slot = VectorTrees.slot(ofNode: entry.key),
            slot - first < VectorMemory.blockSlotCount
        {
            guard entry.key.count == 8 + 4 * form.storedDimensions else {
                throw trees.contradiction("a vector of \(entry.key.count) bytes")
            }
            let vector = PaddedVector(littleEndian: entry.key.span.extracting(8...))
            nodes.append(VectorNode(slot: slot, id: entry.value, vector: vector))
        }
        let isAdded = memory.add(nodes)
        directory = memory.directory
        return isAdded
    }

    // MARK: Links

    /// Replaces `neighbors` by the slots that a slot is linked with in a layer, ascending.
    func neighbors(
        _ slot: UInt64, _ level: Int, _ head: VectorHead, into neighbors: inout [UInt64]
    ) throws(DaybookError) {
        var links = try reader.pairs(trees.links)
        try links.seconds(of: VectorTrees.place(slot, level), into: &neighbors)
        for neighbor in neighbors where neighbor == 0 || neighbor >= head.next {
            throw trees.contradiction("a link to slot \(neighbor)")
        }
        neighbors.removeAll { $0 == slot }
    }
}

/// A slot and its distance from a vector.
struct VectorCandidate: Equatable {
    var distance: Float
    var slot: UInt64

    /// Whether it is nearer; the slots decide between equal distances.
    func isNearer(than other: VectorCandidate) -> Bool {
        distance < other.distance || (distance == other.distance && slot < other.slot)
    }
}
