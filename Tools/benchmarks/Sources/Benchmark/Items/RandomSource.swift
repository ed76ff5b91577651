/// The random numbers of the workload: a linear congruential generator with a final mix, so that
/// the low bits are good too. Every peer, in any language, generates the same numbers.
struct RandomSource {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var word = state
        word ^= word >> 33
        word = word &* 0xFF51_AFD7_ED55_8CCD
        return word ^ (word >> 29)
    }

    /// Returns a number below `bound`.
    mutating func next(below bound: UInt64) -> UInt64 { next() % bound }
}
