import DaybookBytes

/// A set of sequences, stored as ranges. Consecutive sequences take the space of one range.
struct SequenceRanges: Sendable, Equatable {
    /// The ranges in ascending order. They neither overlap nor adjoin each other.
    private var ranges: [ClosedRange<UInt64>] = []

    /// Whether the set contains a sequence. Cost: O(log n) in the number of ranges.
    func contains(_ sequence: UInt64) -> Bool {
        let place = firstIndex(endingAtOrAfter: sequence)
        return place < ranges.count && ranges[place].lowerBound <= sequence
    }

    /// Inserts a range of sequences. Cost: O(log n) at both ends of the set; elsewhere it also
    /// moves the following ranges.
    mutating func insert(_ range: ClosedRange<UInt64>) {
        // A range that ends right before this one is merged with it.
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
        ranges.partitioningIndex { $0.upperBound >= sequence }
    }
}
