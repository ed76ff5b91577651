import DaybookBytes
import DaybookRecords

/// The smallest set of changes that turns a list into the wanted list: the elements to remove, to
/// keep, and to insert.
struct ListPlan {
    /// The elements to remove, including moved ones.
    private(set) var removed: [ListElement] = []
    /// The position of each wanted element.
    private(set) var positions: [[UInt8]] = []
    /// Whether each wanted element is inserted.
    private(set) var isNew: [Bool] = []
    /// The resulting list, and the index of each wanted element in it.
    private(set) var result: [ListElement] = []
    private(set) var places: [Int] = []

    /// - Parameters:
    ///   - current: the current list.
    ///   - base: the positions that the caller knows. Other elements belong to other writers and
    ///     stay.
    ///   - wanted: the new state of the known elements.
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

    /// The largest set of elements that can keep their positions: a longest increasing subsequence.
    private static func staying(
        _ wanted: [ListPlacement], _ targets: [[UInt8]: UInt64]
    ) -> [Bool] {
        let known = wanted.indices.filter { index in
            wanted[index].position.map { targets[$0] == wanted[index].target } ?? false
        }
        let ascent = known.longestAscent { one, other in
            (wanted[one].position ?? []).lexicographicallyPrecedes(wanted[other].position ?? [])
        }
        var stays = [Bool](repeating: false, count: wanted.count)
        for place in ascent { stays[known[place]] = true }
        return stays
    }

    /// Finds positions for the inserted elements, right after their predecessor. `taken` contains
    /// the positions in use, in order.
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
            // Elements at the end of `wanted` come after all existing elements.
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
