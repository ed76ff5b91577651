/// A vector in memory, padded with zeros to a multiple of eight numbers.
@safe
package final class PaddedVector: @unchecked Sendable {
    // SENDABLE: the memory is written in the initializer only.

    /// The number of numbers that the loops of ``VectorDistance`` read at a time.
    static let step = 8

    let base: UnsafeMutablePointer<Float>
    /// The number of numbers with padding.
    let paddedCount: Int
    /// The number of dimensions.
    package let count: Int

    /// The length of a vector in memory, in numbers.
    static func paddedCount(_ count: Int) -> Int { (count + step - 1) / step * step }

    private init(count: Int, _ number: (Int) -> Float) {
        self.count = count
        paddedCount = Self.paddedCount(count)
        // SAFETY: `paddedCount` numbers are allocated and written here; `deinit` frees them.
        unsafe base = .allocate(capacity: max(paddedCount, 1))
        for place in 0..<paddedCount {
            unsafe base[place] = place < count ? number(place) : 0
        }
    }

    /// Copies a vector.
    package convenience init(_ numbers: [Float]) {
        self.init(count: numbers.count) { numbers[$0] }
    }

    /// Copies a vector of little-endian numbers. Bytes after the last whole number are ignored.
    package convenience init(littleEndian bytes: Span<UInt8>) {
        var numbers: [Float] = []
        numbers.reserveCapacity(bytes.count / 4)
        for place in 0..<bytes.count / 4 {
            let bits = bytes.loadLittleEndian(UInt32.self, at: 4 * place) ?? 0
            numbers.append(Float(bitPattern: bits))
        }
        self.init(numbers)
    }

    deinit {
        // SAFETY: the initializer allocated the memory, and nothing refers to it any longer.
        unsafe base.deallocate()
    }

    /// A copy of the numbers.
    package var numbers: [Float] {
        // SAFETY: `count` is at most the number of allocated numbers.
        (0..<count).map { unsafe base[$0] }
    }

    /// The distance to another vector, with ``VectorMetric/euclidean`` its square; NaN if the
    /// dimensions differ. Cost: some nanoseconds per hundred dimensions.
    package func distance(_ metric: VectorMetric, to other: PaddedVector) -> Float {
        guard other.count == count else { return .nan }
        // SAFETY: both vectors have `paddedCount` numbers, which follows from `count`.
        return unsafe VectorDistance.between(base, other.base, paddedCount, metric)
    }
}
