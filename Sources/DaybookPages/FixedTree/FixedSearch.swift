/// Searches in sorted keys that start at a likely index.
enum FixedSearch {
    /// A range for a binary search: the first index from 1 on for which `isBelow` is false, or
    /// `count`, is in the range or is its end. Steps double, away from a guess that is at least 1
    /// and below `count`. For damaged keys in another order, the range is within `1...count`, too.
    @inline(__always)
    static func range(
        near guess: Int, _ count: Int, _ isBelow: (Int) -> Bool
    ) -> Range<Int> {
        var step = 4
        if isBelow(guess) {
            var low = guess + 1
            var probe = low + step
            while probe < count && isBelow(probe) {
                low = probe + 1
                step *= 2
                probe = low + step
            }
            return low..<min(probe, count)
        }
        var high = guess
        var probe = high - step
        while probe >= 1 && !isBelow(probe) {
            high = probe
            step *= 2
            probe = high - step
        }
        return max(probe + 1, 1)..<high
    }
}
