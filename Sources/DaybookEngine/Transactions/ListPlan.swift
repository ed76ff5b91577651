import DaybookRecords

/// How a list becomes what it is to be with the fewest changes: which elements go, which stay where
/// they are, and where the others come.
struct ListPlan {
    /// Elements that are taken out, moved ones included.
    private(set) var removed: [ListElement] = []
    /// The position of each wanted element.
    private(set) var positions: [[UInt8]] = []
    /// Whether a wanted element is put in.
    private(set) var isNew: [Bool] = []
    /// The whole list as it will be, and where in it each wanted element stands.
    private(set) var result: [ListElement] = []
    private(set) var places: [Int] = []

    /// - Parameters:
    ///   - current: the list as it is.
    ///   - base: the positions that are known to whoever wants the change: elements at others are
    ///     somebody else's, and stay.
    ///   - wanted: what is to become of the known ones.
    init(current: [ListElement], base: [[UInt8]], wanted: [ListPlacement]) {
        let targets = Dictionary(
            current.map { ($0.position, $0.target) }, uniquingKeysWith: { first, _ in first })
        let stays = Self.staying(wanted, targets)
        let kept = Set(zip(wanted, stays).filter(\.1).compactMap(\.0.position))
        let known = Set(base)
        removed = current.filter { known.contains($0.position) && !kept.contains($0.position) }
        let gone = Set(removed.map(\.position))
        let left = current.filter { !gone.contains($0.position) }
        place(wanted, stays, among: left.map(\.position))
        let added = zip(wanted, zip(positions, isNew)).filter { $0.1.1 }
        result = left + added.map { ListElement(position: $0.1.0, target: $0.0.target) }
        result.sort { $0.position.lexicographicallyPrecedes($1.position) }
        let order = Dictionary(
            result.enumerated().map { ($1.position, $0) }, uniquingKeysWith: { first, _ in first })
        places = positions.map { order[$0] ?? 0 }
    }

    /// The most elements that can stay where they are: a longest run of rising positions.
    private static func staying(
        _ wanted: [ListPlacement], _ targets: [[UInt8]: UInt64]
    ) -> [Bool] {
        /// The last index of the best run of each length, and the index before each.
        var tails: [Int] = []
        var before: [Int: Int] = [:]
        for (index, element) in wanted.enumerated() {
            guard let position = element.position, targets[position] == element.target else {
                continue
            }
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                let other = wanted[tails[middle]].position ?? []
                if other.lexicographicallyPrecedes(position) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            if low > 0 { before[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var stays = [Bool](repeating: false, count: wanted.count)
        var index = tails.last
        while let found = index {
            stays[found] = true
            index = before[found]
        }
        return stays
    }

    /// Finds positions for those that come, right behind the one that they follow: `taken` are the
    /// positions in use, in order.
    private mutating func place(
        _ wanted: [ListPlacement], _ stays: [Bool], among taken: [[UInt8]]
    ) {
        positions = [[UInt8]](repeating: [], count: wanted.count)
        isNew = stays.map { !$0 }
        var low: [UInt8]?
        var next = 0
        var index = 0
        while index < wanted.count {
            if stays[index] {
                low = wanted[index].position
                positions[index] = low ?? []
                index += 1
                continue
            }
            let end = stays[index...].firstIndex(of: true) ?? wanted.count
            // At the end of what is wanted they come behind everything that is there.
            if end == wanted.count, let last = taken.last,
                low.map({ $0.lexicographicallyPrecedes(last) }) ?? true
            {
                low = last
            }
            while next < taken.count, let bound = low,
                !bound.lexicographicallyPrecedes(taken[next])
            {
                next += 1
            }
            let high = next < taken.count ? taken[next] : nil
            let found = ListPosition.between(low, high, count: end - index)
            for position in found {
                positions[index] = position
                index += 1
            }
            low = positions[index - 1]
        }
    }
}
