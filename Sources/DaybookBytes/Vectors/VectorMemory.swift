internal import Synchronization

/// A slot, the id of its object, and its vector.
package struct VectorNode {
    package var slot: UInt64
    package var id: UInt64
    package var vector: PaddedVector

    package init(slot: UInt64, id: UInt64, vector: PaddedVector) {
        self.slot = slot
        self.id = id
        self.vector = vector
    }
}

/// The vectors of one index in memory, by slot. The object and the vector of a slot never change,
/// so they are valid for all versions that contain the slot.
package final class VectorMemory: Sendable {
    /// The number of slots that are added together.
    package static let blockSlotCount = UInt64(VectorBlock.slotCount)
    /// Vectors of higher slots are not kept in memory: a damaged page can contain any slot, and the
    /// list of blocks takes 24 bytes for each 256 slots.
    private static let slotMax: UInt64 = 1 << 32
    private static let capacityMin = 16

    private let metric: VectorMetric
    private let stride: Int
    private let dimensions: Int
    private let memories: VectorMemories
    private let current: Mutex<VectorDirectory>
    private let currentLinks = Mutex(CurrentLinks())

    init(_ metric: VectorMetric, dimensions: Int, _ memories: VectorMemories) {
        self.metric = metric
        self.dimensions = dimensions
        self.memories = memories
        stride = PaddedVector.paddedCount(dimensions)
        current = Mutex(VectorDirectory(metric, stride: PaddedVector.paddedCount(dimensions)))
    }

    func fits(_ metric: VectorMetric, _ dimensions: Int) -> Bool {
        self.metric == metric && self.dimensions == dimensions
    }

    /// The vectors in memory. Vectors that are added later may be in it, too.
    package var directory: VectorDirectory { current.withLock { $0 } }

    /// Whether there is room for a block of vectors; see ``VectorMemories/makesRoom(for:of:)``.
    package func makesRoom() -> Bool {
        memories.makesRoom(for: stride * 4 * VectorBlock.slotCount, of: VectorBlock.slotCount)
    }

    /// Adds vectors of slots in one block; known ones and those of other dimensions are ignored.
    /// Returns false without room.
    package func add(_ vectors: [VectorNode]) -> Bool {
        guard let first = vectors.first, first.slot < Self.slotMax, makesRoom() else {
            return false
        }
        let number = Int(first.slot / Self.blockSlotCount)
        return current.withLock { directory in
            let known = number < directory.blocks.count ? directory.blocks[number] : nil
            let new = vectors.filter {
                $0.slot / Self.blockSlotCount == UInt64(number)
                    && $0.vector.paddedCount == stride
                    && !(known?.contains(Int($0.slot % Self.blockSlotCount)) ?? false)
            }
            guard !new.isEmpty else { return true }
            let needed = (known?.count ?? 0) + new.count
            var block = known
            if block.map({ $0.capacity < needed }) ?? true {
                let capacity = max(needed, Self.capacityMin, 2 * (known?.count ?? 0))
                let made = VectorBlock(
                    stride: stride, capacity: min(capacity, VectorBlock.slotCount), copying: known)
                memories.add(made.byteCount - (known?.byteCount ?? 0))
                var blocks = directory.blocks
                while blocks.count <= number { blocks.append(nil) }
                blocks[number] = made
                directory = VectorDirectory(metric, stride: stride, blocks)
                block = made
            }
            for node in new {
                let slot = Int(node.slot % Self.blockSlotCount)
                guard block?.add(node.vector, of: node.id, at: slot) ?? false else { return false }
            }
            return true
        }
    }

    // MARK: Links

    private struct CurrentLinks {
        var memory: LinkMemory?
        /// The links of the last search, and the number of searches in a row with the same.
        var name: LinksName?
        var searchCount = 0
    }

    /// The links in memory of one version; nil if they are not kept. They are kept for one version
    /// at a time, and only after some searches in a row in it: a version with few searches would
    /// not repay the allocation. All versions with equal links have the same name.
    package func links(_ name: LinksName, slotCount: UInt64) -> LinkMemory? {
        guard let slotCount = Int(exactly: slotCount) else { return nil }
        return currentLinks.withLock { links in
            if let known = links.memory, known.name == name { return known }
            links.searchCount = links.name == name ? links.searchCount + 1 : 1
            links.name = name
            guard links.searchCount > 3 + slotCount / Self.slotsPerSearch else { return nil }
            links.searchCount = 0
            links.memory = nil
            links.memory = LinkMemory(name, slotCount: slotCount, memories)
            return links.memory
        }
    }

    /// The number of slots for which one more search is awaited.
    private static let slotsPerSearch = 16_384

    /// Frees the memory of links when the last reader of it ends.
    func removeLinks() { currentLinks.withLock { $0 = CurrentLinks() } }

    /// Frees the memory when the last reader of it ends.
    func removeAll() {
        removeLinks()
        current.withLock { directory in
            memories.add(-directory.blocks.reduce(0) { $0 + ($1?.byteCount ?? 0) })
            directory = VectorDirectory(metric, stride: stride)
        }
    }
}

/// The vectors in memory of all indexes of a space of pages, with a common budget.
package final class VectorMemories: Sendable {
    private let memories = Mutex<[UInt32: VectorMemory]>([:])
    private let used = Atomic<Int>(0)
    /// 64 MiB until another budget is set.
    private let budget = Atomic<Int>(64 << 20)
    /// The number of blocks that found no room since the vectors were freed.
    private let refusedCount = Atomic<Int>(0)
    /// Whether links may be kept: until vectors need their room.
    private let keepsLinks = Atomic<Bool>(true)

    package init() {}

    /// The number of bytes in use.
    package var usedBytes: Int { used.load(ordering: .relaxed) }

    /// Returns whether a block of vectors fits the budget.
    ///
    /// The vectors of removed slots stay in memory, because older versions contain these slots. So
    /// when as many blocks found no room as vectors fit the budget, all vectors are freed, and
    /// those in use are loaded again. Reading so many vectors from the trees has then taken longer
    /// than loading them takes.
    func makesRoom(for byteCount: Int, of vectorCount: Int) -> Bool {
        let budgetBytes = budgetBytes
        guard usedBytes + byteCount > budgetBytes else { return true }
        guard byteCount <= budgetBytes else { return false }
        // Vectors in memory save more time than links.
        if keepsLinks.exchange(false, ordering: .relaxed) {
            for memory in memories.withLock({ Array($0.values) }) { memory.removeLinks() }
            if usedBytes + byteCount <= budgetBytes { return true }
        }
        let refused = refusedCount.wrappingAdd(1, ordering: .relaxed).newValue
        guard refused > budgetBytes / byteCount * vectorCount else { return false }
        refusedCount.store(0, ordering: .relaxed)
        removeAll()
        return true
    }

    /// Takes memory for links, at most a quarter of the budget at a time. Returns false without
    /// room.
    func reserveForLinks(_ byteCount: Int) -> Bool {
        guard keepsLinks.load(ordering: .relaxed), byteCount <= budgetBytes / 4,
            usedBytes + byteCount <= budgetBytes
        else { return false }
        add(byteCount)
        return true
    }

    func add(_ byteCount: Int) { used.wrappingAdd(byteCount, ordering: .relaxed) }

    /// The maximum number of bytes. Above it, vectors are read from the trees: some microseconds
    /// for each distance.
    package var budgetBytes: Int {
        get { budget.load(ordering: .relaxed) }
        set { budget.store(newValue, ordering: .relaxed) }
    }

    /// The vectors of an index.
    package func memory(
        ofIndex index: UInt32, _ metric: VectorMetric, dimensions: Int
    ) -> VectorMemory {
        memories.withLock { memories in
            if let known = memories[index], known.fits(metric, dimensions) { return known }
            memories[index]?.removeAll()
            let made = VectorMemory(metric, dimensions: dimensions, self)
            memories[index] = made
            return made
        }
    }

    /// Sets the budget, and frees all vectors if they take more. Returns whether it freed any.
    package func trim(toBytes budgetBytes: Int) -> Bool {
        self.budgetBytes = budgetBytes
        guard usedBytes > budgetBytes else { return false }
        removeAll()
        return true
    }

    /// Frees all vectors.
    package func removeAll() {
        for memory in memories.withLock({ Array($0.values) }) { memory.removeAll() }
        keepsLinks.store(true, ordering: .relaxed)
    }
}
