internal import Synchronization

/// The vectors of an index that are in memory, by slot: an immutable list of blocks.
@safe
package final class VectorDirectory: @unchecked Sendable {
    // SENDABLE: the list is immutable; see `VectorBlock` for the blocks.

    @safe
    private struct Entry {
        var places: UnsafeMutablePointer<Atomic<UInt16>>?
        var values: UnsafeMutablePointer<Float>?
    }

    let metric: VectorMetric
    let stride: Int
    /// Keeps the memory of ``entries``.
    let blocks: [VectorBlock?]
    private let entries: [Entry]

    init(_ metric: VectorMetric, stride: Int, _ blocks: [VectorBlock?] = []) {
        self.metric = metric
        self.stride = stride
        self.blocks = blocks
        // SAFETY: `blocks` keeps the memory as long as this object.
        entries = blocks.map { unsafe Entry(places: $0?.places, values: $0?.values) }
    }

    /// The vector of a slot; nil if it is not in memory.
    @inline(__always)
    private func vector(_ slot: UInt64) -> UnsafePointer<Float>? {
        let number = slot / UInt64(VectorBlock.slotCount)
        guard number < UInt64(entries.count) else { return nil }
        // SAFETY: the number of the entry was compared above, the slot is reduced to the number of
        // places, and a stored place is below the capacity of the values.
        let entry = entries[Int(number)]
        guard let places = unsafe entry.places, let values = unsafe entry.values else {
            return nil
        }
        let place = unsafe places[Int(slot % UInt64(VectorBlock.slotCount))]
            .load(ordering: .acquiring)
        guard place != VectorBlock.none else { return nil }
        return unsafe UnsafePointer(values + Int(place) &* stride)
    }

    /// Appends the distances of slots from a vector to `distances`; NaN for a slot whose vector is
    /// not in memory, or if the vector has other dimensions. Cost: some nanoseconds per hundred
    /// dimensions, and a cache miss per slot.
    package func distances(
        from query: PaddedVector, to slots: [UInt64], into distances: inout [Float]
    ) {
        guard query.paddedCount == stride else {
            for _ in slots { distances.append(.nan) }
            return
        }
        let start = distances.count
        for _ in slots { distances.append(.nan) }
        // The vectors in memory, and the places of their distances; four vectors are compared
        // together.
        unsafe withUnsafeTemporaryAllocation(of: Found.self, capacity: slots.count) { found in
            var count = 0
            for place in slots.indices {
                // SAFETY: there is room for one element for each slot.
                guard let vector = unsafe vector(slots[place]) else { continue }
                unsafe found.initializeElement(
                    at: count, to: Found(vector: vector, place: start + place))
                count += 1
            }
            var next = 0
            // SAFETY: the elements before `count` are initialized, and all vectors have `stride`
            // numbers. `Found` needs no deinitialization.
            while next + 4 <= count {
                let four = unsafe (found[next], found[next + 1], found[next + 2], found[next + 3])
                let measured = unsafe VectorDistance.between(
                    query.base, (four.0.vector, four.1.vector, four.2.vector, four.3.vector),
                    stride, metric)
                distances[four.0.place] = measured[0]
                distances[four.1.place] = measured[1]
                distances[four.2.place] = measured[2]
                distances[four.3.place] = measured[3]
                next += 4
            }
            while next < count {
                let last = unsafe found[next]
                unsafe distances[last.place] = VectorDistance.between(
                    query.base, last.vector, stride, metric)
                next += 1
            }
        }
    }

    /// A vector in memory, and the place of its distance.
    @safe
    private struct Found: BitwiseCopyable {
        var vector: UnsafePointer<Float>
        var place: Int
    }

    /// The id of the object of a slot; nil if its vector is not in memory.
    package func id(_ slot: UInt64) -> UInt64? {
        let number = slot / UInt64(VectorBlock.slotCount)
        guard number < UInt64(blocks.count) else { return nil }
        return blocks[Int(number)]?.id(Int(slot % UInt64(VectorBlock.slotCount)))
    }

    /// The distance of two slots; NaN if a vector is not in memory.
    package func distance(_ slot: UInt64, _ other: UInt64) -> Float {
        // SAFETY: both vectors have `stride` numbers.
        guard let one = unsafe vector(slot), let two = unsafe vector(other) else { return .nan }
        return unsafe VectorDistance.between(one, two, stride, metric)
    }

    /// A copy of the vector of a slot; nil if it is not in memory.
    package func copy(_ slot: UInt64, count: Int) -> PaddedVector? {
        guard PaddedVector.paddedCount(count) == stride, let one = unsafe vector(slot) else {
            return nil
        }
        // SAFETY: the vector has `stride` numbers, at least `count`.
        return PaddedVector((0..<count).map { unsafe one[$0] })
    }
}
