/// The gaps of a list right after what is undone: in each a place has its order among what came in
/// later only by chance.
///
/// What comes in is known to be behind one element and before another. Where elements have been
/// removed before, these two stand further apart, and it counts for all gaps between them: the list
/// gives the places of the removed ones anew.
struct ListGaps {
    private struct Block {
        var gaps: ClosedRange<Int>
        var commits: [UInt64]
    }

    private let positions: [[UInt8]]
    /// Gaps that the same elements may have come into, in order. None overlaps another.
    private let blocks: [Block]

    /// - Parameters:
    ///   - now: the positions of the list as it is.
    ///   - later: what later commits did to it, in the order of the log.
    init(_ now: [[UInt8]], _ later: [UndoHistory.LaterLink]) {
        // What a commit takes away separates nothing of what the same commit puts in.
        let later = later.sorted { ($0.sequence, $0.rank) < ($1.sequence, $1.rank) }
        var known = Set(now)
        for change in later.reversed() {
            if change.isLink {
                known.remove(change.link.position)
            } else {
                known.insert(change.link.position)
            }
        }
        positions = known.sorted { $0.lexicographicallyPrecedes($1) }
        var gaps = JoinedGaps(count: positions.count + 1)
        var found: [Block] = []
        for change in later {
            let position = change.link.position
            let gap = Self.gap(of: position, positions)
            if change.isLink {
                found.append(Block(gaps: gaps.range(around: gap), commits: [change.sequence]))
            } else if gap < positions.count, positions[gap] == position {
                gaps.joinWithNext(gap)
            }
        }
        blocks = Self.joined(found)
    }

    /// The later commits that put something in where a place is to be put back. Cost: a logarithm.
    func commits(beside position: [UInt8]) -> [UInt64] {
        if blocks.isEmpty { return [] }
        let gap = Self.gap(of: position, positions)
        let index = Self.firstIndex(blocks.count) { blocks[$0].gaps.upperBound >= gap }
        guard index < blocks.count, blocks[index].gaps.contains(gap) else { return [] }
        return blocks[index].commits
    }

    /// Blocks that overlap taken together.
    private static func joined(_ found: [Block]) -> [Block] {
        var blocks: [Block] = []
        for block in found.sorted(by: { $0.gaps.lowerBound < $1.gaps.lowerBound }) {
            if let last = blocks.last, last.gaps.overlaps(block.gaps) {
                let end = max(last.gaps.upperBound, block.gaps.upperBound)
                blocks[blocks.count - 1].gaps = last.gaps.lowerBound...end
                blocks[blocks.count - 1].commits += block.commits
            } else {
                blocks.append(block)
            }
        }
        for index in blocks.indices { blocks[index].commits = Set(blocks[index].commits).sorted() }
        return blocks
    }

    /// The number of the gap that a position is in: that before the first which is not below it.
    private static func gap(of position: [UInt8], _ positions: [[UInt8]]) -> Int {
        firstIndex(positions.count) { !positions[$0].lexicographicallyPrecedes(position) }
    }

    private static func firstIndex(_ count: Int, where isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// Gaps that became one, as what stood between them was removed.
private struct JoinedGaps {
    /// One further down that each is joined with; the lowest has itself.
    private var lower: [Int]
    /// The highest of those that the lowest stands for.
    private var highest: [Int]

    init(count: Int) {
        lower = Array(0..<count)
        highest = lower
    }

    /// All that a gap is joined with. Cost: a logarithm, over many calls.
    mutating func range(around gap: Int) -> ClosedRange<Int> {
        var first = gap
        while lower[first] != first {
            lower[first] = lower[lower[first]]
            first = lower[first]
        }
        return first...highest[first]
    }

    mutating func joinWithNext(_ gap: Int) {
        let (one, next) = (range(around: gap), range(around: gap + 1))
        guard one != next else { return }
        lower[next.lowerBound] = one.lowerBound
        highest[one.lowerBound] = next.upperBound
    }
}

extension UndoHistory.LaterLink {
    /// In the order in which a commit does things to a list.
    fileprivate var rank: Int { isLink ? 1 : 0 }
}
