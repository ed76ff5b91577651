internal import Synchronization

/// The vectors of up to 256 adjacent slots in memory. A slot's vector never changes; vectors are
/// added by one thread at a time, while others read.
@safe
final class VectorBlock: @unchecked Sendable {
    // SENDABLE: a place is stored after its vector was written, with releasing order, and loaded
    // with acquiring order. The mutex of `VectorMemory` protects `count`.

    static let slotCount = 256
    /// The place of a slot without a vector.
    static let none = UInt16.max

    /// The place of each slot's vector.
    let places: UnsafeMutablePointer<Atomic<UInt16>>
    let values: UnsafeMutablePointer<Float>
    /// The object of each vector.
    private let ids: UnsafeMutablePointer<UInt64>
    /// The length of a vector in numbers, with padding.
    let stride: Int
    let capacity: Int
    private(set) var count = 0

    /// Creates a block with room for `capacity` vectors and the vectors of another block.
    init(stride: Int, capacity: Int, copying other: VectorBlock?) {
        self.stride = stride
        self.capacity = max(capacity, other?.count ?? 0)
        // SAFETY: all places are initialized here. A vector is written before its place is stored,
        // and the capacity was just made at least the count of the other block.
        unsafe places = .allocate(capacity: Self.slotCount)
        unsafe values = .allocate(capacity: max(self.capacity * stride, 1))
        unsafe ids = .allocate(capacity: max(self.capacity, 1))
        for slot in 0..<Self.slotCount {
            let place = unsafe other?.places[slot].load(ordering: .acquiring) ?? Self.none
            unsafe (places + slot).initialize(to: Atomic(place))
        }
        if let other {
            count = other.count
            unsafe values.update(from: other.values, count: count * stride)
            unsafe ids.update(from: other.ids, count: count)
        }
    }

    deinit {
        // SAFETY: the initializer allocated and initialized both.
        unsafe places.deinitialize(count: Self.slotCount)
        unsafe places.deallocate()
        unsafe values.deallocate()
        unsafe ids.deallocate()
    }

    /// The allocated length in bytes.
    var byteCount: Int { capacity * (stride * 4 + 8) + Self.slotCount * 2 + 64 }

    /// Whether the slot, counted from the first of the block, has a vector.
    func contains(_ slot: Int) -> Bool { id(slot) != nil }

    /// The object of a slot, counted from the first of the block; nil for a slot without a vector.
    func id(_ slot: Int) -> UInt64? {
        precondition(slot >= 0 && slot < Self.slotCount, "no such slot")
        // SAFETY: the precondition above; a stored place is below the capacity.
        let place = unsafe places[slot].load(ordering: .acquiring)
        return place == Self.none ? nil : unsafe ids[Int(place)]
    }

    /// Adds the vector of a slot and its object; false without room.
    func add(_ vector: PaddedVector, of id: UInt64, at slot: Int) -> Bool {
        precondition(slot >= 0 && slot < Self.slotCount, "no such slot")
        guard count < capacity, vector.paddedCount == stride else { return false }
        // SAFETY: `count` is below the capacity, and the vector has `stride` numbers.
        unsafe (values + count * stride).update(from: vector.base, count: stride)
        unsafe ids[count] = id
        unsafe places[slot].store(UInt16(count), ordering: .releasing)
        count += 1
        return true
    }
}
