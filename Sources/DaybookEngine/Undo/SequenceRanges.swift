/// A set of commits, as ranges: of many that follow each other it keeps the first and the last.
struct SequenceRanges: Sendable, Equatable {
    /// In order; none touches another.
    private var ranges: [ClosedRange<UInt64>] = []

    /// Cost: a logarithm of how many ranges there are.
    func contains(_ sequence: UInt64) -> Bool {
        let place = firstIndex(endingAtOrAfter: sequence)
        return place < ranges.count && ranges[place].lowerBound <= sequence
    }

    /// Adds commits. Cost: a logarithm at both ends of the set, else a move of the ranges behind.
    mutating func insert(_ range: ClosedRange<UInt64>) {
        // One that ends right in front of it belongs to it, too.
        let start = firstIndex(endingAtOrAfter: range.lowerBound > 0 ? range.lowerBound - 1 : 0)
        var (lower, upper) = (range.lowerBound, range.upperBound)
        var end = start
        while end < ranges.count,
            ranges[end].lowerBound <= upper || ranges[end].lowerBound - 1 == upper
        {
            lower = min(lower, ranges[end].lowerBound)
            upper = max(upper, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(start..<end, with: CollectionOfOne(lower...upper))
    }

    private func firstIndex(endingAtOrAfter sequence: UInt64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
