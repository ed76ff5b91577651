/// The state of a search in one layer of a graph: the visited slots, and the nearest candidates.
/// For one thread.
///
/// The time of a search is mostly that of waiting for the memory of vectors and of links. So a
/// search has three steps for each candidate: ``visit(_:)`` reads the first bytes of the vectors of
/// all neighbours together, then the caller reads the links of the candidate that likely follows,
/// and ``measure()`` compares the vectors, which have arrived meanwhile.
@safe
package struct LayerSearch: ~Copyable {
    /// The vectors in memory. ``found`` refers to its memory.
    private var directory: VectorDirectory
    /// The neighbours whose vectors are not in memory, since the last ``measure()``.
    package private(set) var missing: [UInt64] = []

    private let query: PaddedVector
    private let links: LinkMemory?
    private var visited: SlotSet
    private var pool: CandidatePool
    /// The neighbours whose vectors are in memory, since the last ``measure()``.
    private var found: UnsafeMutablePointer<VectorDirectory.Found>
    private var foundCount = 0
    private var capacity = 64
    /// Receives the bytes that are read ahead, so that the compiler keeps the loads.
    private var touched: UInt32 = 0

    /// - Parameters:
    ///   - width: The number of candidates (ef).
    ///   - slotCount: Slots are from 1 to below this.
    ///   - links: The links of the layer in memory.
    package init(
        _ query: PaddedVector, _ directory: VectorDirectory, width: Int, slotCount: UInt64,
        _ links: LinkMemory?
    ) {
        self.links = links
        self.query = query
        self.directory = directory
        visited = SlotSet(slotCount: slotCount)
        pool = CandidatePool(width: width)
        // SAFETY: only elements before `foundCount` are read, which `visit` has initialized.
        unsafe found = .allocate(capacity: capacity)
    }

    deinit {
        // SAFETY: this value allocated the memory, and nothing refers to it any longer.
        unsafe found.deallocate()
    }

    /// The number of candidates.
    package var count: Int { pool.count }

    /// A candidate, nearest first; `place` is below ``count``.
    package subscript(place: Int) -> (slot: UInt64, distance: Float) { pool[place] }

    /// Adds a slot where the search begins, if it was not visited.
    package mutating func begin(at slot: UInt64, _ distance: Float) {
        if visited.insert(slot) { pool.add(slot, distance) }
    }

    /// The nearest candidate whose neighbours were not visited; nil at the end of the search.
    package mutating func next() -> UInt64? { pool.next() }

    /// The candidate that ``next()`` returns if ``measure()`` finds no nearer one.
    package var following: UInt64? { pool.following }

    /// Begins to read the links of a slot. Returns false if they are not in memory.
    package mutating func touch(linksOf slot: UInt64) -> Bool {
        guard let sum = links?.touch(slot) else { return false }
        touched &+= sum
        return true
    }

    /// Begins to read the vectors of the slots that were not visited. Returns false, without
    /// visiting the rest, for a slot outside the graph.
    package mutating func visit(_ slots: [UInt64]) -> Bool {
        visit(slots.count) { slots[$0] }
    }

    /// The same for the slots that a slot is linked with; nil if they are not in memory.
    package mutating func visit(linksOf slot: UInt64) -> Bool? {
        // SAFETY: `links` keeps the memory of the list, whose elements are below its count.
        guard let list = unsafe links?.links(of: slot) else { return nil }
        return visit(list.count) { unsafe UInt64(list[$0]) }
    }

    @inline(__always)
    private mutating func visit(_ count: Int, _ slot: (Int) -> UInt64) -> Bool {
        reserve(count)
        let isComparable = query.paddedCount == directory.stride
        // Whether a slot was visited cannot be predicted, so this loop has no branch for it.
        let start = foundCount
        var freshEnd = start
        var isInside = true
        for place in 0..<count {
            let slot = slot(place)
            guard slot > 0, slot < visited.slotCount else {
                isInside = false
                break
            }
            // SAFETY: `reserve` made room for all slots.
            unsafe found[freshEnd].key = slot
            freshEnd += visited.insert(slot) ? 1 : 0
        }
        // SAFETY: the keys before `freshEnd` are initialized, and `foundCount` is at most `place`.
        for place in start..<freshEnd {
            let slot = unsafe found[place].key
            guard isComparable, let vector = unsafe directory.vector(slot) else {
                missing.append(slot)
                continue
            }
            unsafe found[foundCount] = VectorDirectory.Found(vector: vector, key: slot)
            foundCount += 1
        }
        // SAFETY: the elements before `foundCount` are initialized.
        for place in start..<foundCount {
            unsafe touched &+= directory.touch(found[place].vector)
        }
        return isInside
    }

    /// Compares the vectors that ``visit(_:)`` found in memory.
    package mutating func measure() {
        // SAFETY: the elements before `foundCount` are initialized, and their vectors are from
        // `directory`, which is only replaced when there are none.
        unsafe directory.forEachDistance(
            from: query, to: UnsafeBufferPointer(start: found, count: foundCount)
        ) { slot, distance in
            // Huge numbers: their distance is infinite, or infinite minus infinite.
            pool.add(slot, distance.isNaN ? .infinity : distance)
        }
        foundCount = 0
        missing.removeAll(keepingCapacity: true)
    }

    /// Replaces the vectors in memory, after ``measure()``.
    package mutating func use(_ directory: VectorDirectory) {
        precondition(foundCount == 0, "vectors were visited and not measured")
        self.directory = directory
    }

    /// Adds the distance of a slot of ``missing``.
    package mutating func add(_ slot: UInt64, _ distance: Float) { pool.add(slot, distance) }

    private mutating func reserve(_ count: Int) {
        guard foundCount + count > capacity else { return }
        capacity = 2 * (foundCount + count)
        // SAFETY: the new memory has room for all `foundCount` elements, which are copied.
        let larger = UnsafeMutablePointer<VectorDirectory.Found>.allocate(
            capacity: capacity)
        unsafe larger.update(from: found, count: foundCount)
        unsafe found.deallocate()
        unsafe found = larger
    }
}
