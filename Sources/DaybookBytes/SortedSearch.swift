extension RandomAccessCollection where Index == Int {
    /// Binary search: the first index whose element satisfies a condition that is false for all
    /// elements before it, and true for all after it. The end index if no element does. Cost:
    /// O(log n).
    @inlinable
    package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The indexes of the elements of a longest ascending subsequence. Cost: O(n log n).
    @inlinable
    package func longestAscent(by precedes: (Element, Element) -> Bool) -> Set<Int> {
        // At index n, the index of the lowest element that ends an ascending subsequence of length
        // n + 1.
        var ends: [Int] = []
        var previous: [Int: Int] = [:]
        for index in indices {
            let length = ends.partitioningIndex { !precedes(self[$0], self[index]) }
            if length > 0 { previous[index] = ends[length - 1] }
            if length == ends.count { ends.append(index) } else { ends[length] = index }
        }
        var found: Set<Int> = []
        var index = ends.last
        while let place = index {
            found.insert(place)
            index = previous[place]
        }
        return found
    }
}
