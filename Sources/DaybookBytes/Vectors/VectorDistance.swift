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
        case .euclidean, .geo:
            unsafe sum(one, other, count) { left, right in
                let difference = left - right
                return difference * difference
            }
        case .cosine, .dotProduct: unsafe 1 - sum(one, other, count) { $0 * $1 }
        }
    }

    /// The distances of one vector to four others: the same as of each, but the processor waits for
    /// the memory of the four together.
    @inline(__always)
    static func between(
        _ one: UnsafePointer<Float>, _ others: Four, _ count: Int, _ metric: VectorMetric
    ) -> SIMD4<Float> {
        // SAFETY: the caller passes five vectors of `count` numbers.
        switch metric {
        case .euclidean, .geo:
            unsafe sums(one, others, count) { left, right in
                let difference = left - right
                return difference * difference
            }
        case .cosine, .dotProduct: unsafe 1 - sums(one, others, count) { $0 * $1 }
        }
    }

    typealias Four = (
        UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>
    )

    /// The sums of a term over all pairs of numbers, for four vectors; in the same order as of one.
    @inline(__always)
    private static func sums(
        _ one: UnsafePointer<Float>, _ others: Four, _ count: Int,
        _ term: (SIMD8<Float>, SIMD8<Float>) -> SIMD8<Float>
    ) -> SIMD4<Float> {
        var (sum0, sum1, sum2, sum3) = (
            SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>(), SIMD8<Float>()
        )
        var (second0, second1, second2, second3) = (sum0, sum0, sum0, sum0)
        var place = 0
        // SAFETY: `place` stays below `count`, a multiple of the number of lanes.
        while place &+ 16 <= count {
            let numbers = unsafe load(one, place)
            unsafe sum0 += term(numbers, load(others.0, place))
            unsafe sum1 += term(numbers, load(others.1, place))
            unsafe sum2 += term(numbers, load(others.2, place))
            unsafe sum3 += term(numbers, load(others.3, place))
            let more = unsafe load(one, place &+ 8)
            unsafe second0 += term(more, load(others.0, place &+ 8))
            unsafe second1 += term(more, load(others.1, place &+ 8))
            unsafe second2 += term(more, load(others.2, place &+ 8))
            unsafe second3 += term(more, load(others.3, place &+ 8))
            place &+= 16
        }
        if place < count {
            let numbers = unsafe load(one, place)
            unsafe sum0 += term(numbers, load(others.0, place))
            unsafe sum1 += term(numbers, load(others.1, place))
            unsafe sum2 += term(numbers, load(others.2, place))
            unsafe sum3 += term(numbers, load(others.3, place))
        }
        return SIMD4(
            (sum0 + second0).sum(), (sum1 + second1).sum(), (sum2 + second2).sum(),
            (sum3 + second3).sum())
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
