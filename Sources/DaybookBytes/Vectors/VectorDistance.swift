/// The loops over the numbers of two vectors. They add in a fixed order, so that a distance is the
/// same on every platform.
enum VectorDistance {
    /// The distance of two vectors with `count` numbers each, a multiple of ``PaddedVector/step``.
    @inline(__always)
    static func between(
        _ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>, _ count: Int,
        _ metric: VectorMetric
    ) -> Float {
        // SAFETY: the caller passes two vectors of `count` numbers.
        switch metric {
        case .euclidean:
            unsafe sum(one, other, count) { left, right in
                let difference = left - right
                return difference * difference
            }
        case .cosine, .dotProduct: unsafe 1 - sum(one, other, count) { $0 * $1 }
        }
    }

    /// The sum of a term over all pairs of numbers.
    @inline(__always)
    private static func sum(
        _ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>, _ count: Int,
        _ term: (SIMD8<Float>, SIMD8<Float>) -> SIMD8<Float>
    ) -> Float {
        var sum = SIMD8<Float>()
        var secondSum = SIMD8<Float>()
        var place = 0
        // SAFETY: `place` stays below `count`, a multiple of the number of lanes.
        while place &+ 16 <= count {
            unsafe sum += term(load(one, place), load(other, place))
            unsafe secondSum += term(load(one, place &+ 8), load(other, place &+ 8))
            place &+= 16
        }
        if place < count { unsafe sum += term(load(one, place), load(other, place)) }
        return (sum + secondSum).sum()
    }

    @inline(__always)
    private static func load(_ base: UnsafePointer<Float>, _ place: Int) -> SIMD8<Float> {
        // SAFETY: the callers pass a vector with eight numbers from `place` on.
        unsafe UnsafeRawPointer(base + place).loadUnaligned(as: SIMD8<Float>.self)
    }
}
