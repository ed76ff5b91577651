/// Counts how often one token follows another one.
struct TokenPairCounts {
    /// The pairs plus one; 0 where there is none.
    private var keys: [UInt64]
    private var counts: [UInt32]
    private var used = 0
    private var shift: UInt64

    init() {
        let bitCount = 16
        keys = [UInt64](repeating: 0, count: 1 << bitCount)
        counts = [UInt32](repeating: 0, count: 1 << bitCount)
        shift = UInt64(64 - bitCount)
    }

    /// Counts a pair once more and returns how often it was counted.
    @inline(__always)
    mutating func add(_ first: Int, _ second: Int) -> UInt32 {
        let key = (UInt64(first) &<< 32 | UInt64(second)) &+ 1
        let index = slot(of: key)
        if keys[index] == 0 {
            keys[index] = key
            counts[index] = 1
            used += 1
            if 2 * used > keys.count { grow() }
            return 1
        }
        counts[index] &+= 1
        return counts[index]
    }

    @inline(__always)
    private func slot(of key: UInt64) -> Int {
        var index = Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) &>> shift)
        while keys[index] != 0, keys[index] != key { index = (index &+ 1) & (keys.count &- 1) }
        return index
    }

    private mutating func grow() {
        let old = (keys, counts)
        keys = [UInt64](repeating: 0, count: keys.count * 2)
        counts = [UInt32](repeating: 0, count: keys.count)
        shift -= 1
        for index in old.0.indices where old.0[index] != 0 {
            let new = slot(of: old.0[index])
            keys[new] = old.0[index]
            counts[new] = old.1[index]
        }
    }
}
