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
    func vector(_ slot: UInt64) -> UnsafePointer<Float>? {
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
        let start = distances.count
        for _ in slots { distances.append(.nan) }
        guard query.paddedCount == stride else { return }
        unsafe withUnsafeTemporaryAllocation(of: Found.self, capacity: slots.count) { found in
            var count = 0
            for place in slots.indices {
                // SAFETY: there is room for one element for each slot.
                guard let vector = unsafe vector(slots[place]) else { continue }
                unsafe found.initializeElement(
                    at: count, to: Found(vector: vector, key: UInt64(place)))
                count += 1
            }
            // SAFETY: the elements before `count` are initialized. They need no deinitialization.
            let all = unsafe UnsafeBufferPointer(rebasing: found[..<count])
            unsafe forEachDistance(from: query, to: all) { place, distance in
                distances[start + Int(place)] = distance
            }
        }
    }

    /// A vector in memory, and a number for its distance: a slot or a place.
    @safe
    struct Found: BitwiseCopyable {
        var vector: UnsafePointer<Float>
        var key: UInt64
    }

    /// Passes the distances of vectors in memory from a vector of the same dimensions.
    @inline(__always)
    func forEachDistance(
        from query: PaddedVector, to found: UnsafeBufferPointer<Found>,
        _ body: (UInt64, Float) -> Void
    ) {
        // Four vectors are compared together. If fewer are left, the last one is compared again.
        let last = found.count - 1
        var next = 0
        while next <= last {
            // SAFETY: the places are at most `last`, and all vectors have `stride` numbers.
            let one = unsafe found[next]
            let two = unsafe found[min(next + 1, last)]
            let three = unsafe found[min(next + 2, last)]
            let four = unsafe found[min(next + 3, last)]
            let measured = unsafe VectorDistance.between(
                query.base, (one.vector, two.vector, three.vector, four.vector), stride, metric)
            body(one.key, measured[0])
            if next < last { body(two.key, measured[1]) }
            if next + 1 < last { body(three.key, measured[2]) }
            if next + 2 < last { body(four.key, measured[3]) }
            next += 4
        }
    }

    /// Reads a part of each of the first cache lines of a vector, so that the processor fetches
    /// them together; it fetches the rest of a long vector by itself. Returns a sum of the parts.
    @inline(__always)
    func touch(_ vector: UnsafePointer<Float>) -> UInt32 {
        let bytes = unsafe UnsafeRawPointer(vector)
        var sum: UInt32 = 0
        var offset = 0
        let end = min(stride * 4, Self.touchedLength)
        // SAFETY: the offset is below the length of a vector.
        while offset < end {
            unsafe sum &+= bytes.load(fromByteOffset: offset, as: UInt32.self)
            offset += Self.lineLength
        }
        return sum
    }

    private static let lineLength = 64
    private static let touchedLength = 8 * lineLength

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
