/// Numbers of the parts of a condition. The numbers of few parts take no memory of their own,
/// because a plan for one indexed property is made in some microseconds.
struct PartSet: Sendable {
    /// The parts below 64, one bit each.
    private var low: UInt64 = 0
    /// The other parts, in words of 64.
    private var high: [UInt64] = []

    init() {}

    init(_ part: Int) { insert(part) }

    mutating func insert(_ part: Int) {
        guard part >= 64 else { return low |= 1 << UInt64(part) }
        let word = part / 64 - 1
        if high.count <= word {
            high += Array(repeating: 0, count: word + 1 - high.count)
        }
        high[word] |= 1 << UInt64(part % 64)
    }

    func contains(_ part: Int) -> Bool {
        guard part >= 64 else { return low & (1 << UInt64(part)) != 0 }
        let word = part / 64 - 1
        return word < high.count && high[word] & (1 << UInt64(part % 64)) != 0
    }

    mutating func formUnion(_ other: PartSet) {
        low |= other.low
        if high.count < other.high.count {
            high += Array(repeating: 0, count: other.high.count - high.count)
        }
        for (word, bits) in other.high.enumerated() { high[word] |= bits }
    }

    func union(_ other: PartSet) -> PartSet {
        var both = self
        both.formUnion(other)
        return both
    }

    func isSubset(of other: PartSet) -> Bool { other.union(self).count == other.count }

    var count: Int { high.reduce(low.nonzeroBitCount) { $0 + $1.nonzeroBitCount } }
}
