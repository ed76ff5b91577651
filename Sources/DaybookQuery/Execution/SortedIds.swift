/// Ids that come in any order and many times over, as far as they differ: they take memory for
/// four times as many as there are, and no more.
struct GatheredIds {
    /// Below this they are left as they come.
    static let countMin = 1 << 16

    private var ids: [UInt64] = []
    private var limit = countMin

    /// How many are held just now.
    var heldCount: Int { ids.count }

    mutating func add(_ more: [UInt64]) {
        ids += more
        guard ids.count >= limit else { return }
        ids = ids.ascending()
        limit = max(Self.countMin, 4 * ids.count)
    }

    /// In order, each once.
    consuming func ascending() -> [UInt64] { ids.ascending() }
}

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
        for id in inOrder() where id != result.last { result.append(id) }
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
