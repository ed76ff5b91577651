extension [UInt64] {
    /// The same ids in order, each once. Cost: almost nothing where they are already.
    func ascending() -> [UInt64] {
        var isAscending = true
        for place in indices.dropFirst() where self[place] <= self[place - 1] {
            isAscending = false
            break
        }
        if isAscending { return self }
        var result: [UInt64] = []
        result.reserveCapacity(count)
        for id in sorted() where id != result.last { result.append(id) }
        return result
    }

    /// Those that are in both; both are ascending. Cost: where one is much the shorter, a search in
    /// the other for each of its ids.
    func common(with other: [UInt64]) -> [UInt64] {
        let (short, long) = count <= other.count ? (self, other) : (other, self)
        var result: [UInt64] = []
        var place = 0
        let isMuchShorter = short.count < long.count / 16
        for id in short {
            if isMuchShorter {
                place = long.firstPlace(of: id, from: place)
            } else {
                while place < long.count, long[place] < id { place += 1 }
            }
            guard place < long.count else { break }
            if long[place] == id { result.append(id) }
        }
        return result
    }

    /// The first place from `start` on whose id is no lower.
    private func firstPlace(of id: UInt64, from start: Int) -> Int {
        var (low, high) = (start, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
