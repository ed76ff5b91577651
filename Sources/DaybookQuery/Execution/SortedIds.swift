import DaybookBytes

/// Collects distinct ids that arrive in any order and many times. Holds at most about four times
/// the number of distinct ids.
struct GatheredIds {
    /// Below this count, duplicates are kept.
    static let countMin = 1 << 16

    private var ids: [UInt64] = []
    private var limit = countMin

    /// The number of ids held now.
    var heldCount: Int { ids.count }

    mutating func add(_ more: [UInt64]) {
        ids += more
        guard ids.count >= limit else { return }
        ids = ids.ascending()
        limit = max(Self.countMin, 4 * ids.count)
    }

    /// The distinct ids, ascending.
    consuming func ascending() -> [UInt64] { ids.ascending() }
}

extension [UInt64] {
    /// The distinct ids, ascending. Cost: O(n) if they are ascending already.
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

    /// The ids in both lists, which must be ascending. Cost: if one list is much shorter, a binary
    /// search in the other for each of its ids.
    func common(with other: [UInt64]) -> [UInt64] {
        let (short, long) = count <= other.count ? (self, other) : (other, self)
        var result: [UInt64] = []
        var place = 0
        let isMuchShorter = short.count < long.count / 16
        for id in short {
            if isMuchShorter {
                place = long[place...].partitioningIndex { $0 >= id }
            } else {
                while place < long.count, long[place] < id { place += 1 }
            }
            guard place < long.count else { break }
            if long[place] == id { result.append(id) }
        }
        return result
    }
}
