import DaybookBytes

/// The gaps between the elements of a list right after the undone commits. In each gap, the order
/// of a restored position and the elements that were inserted later is accidental.
///
/// An inserted element is known only to follow one element and to precede another. If elements
/// between them were removed earlier, these two are further apart, and the insertion counts for all
/// gaps between them, because the list reuses the positions of removed elements.
struct ListGaps {
    private struct Block {
        var gaps: ClosedRange<Int>
        var commits: [UInt64]
    }

    private let positions: [[UInt8]]
    /// The gaps into which the same elements may have been inserted, in order and without overlap.
    private let blocks: [Block]

    /// - Parameters:
    ///   - now: the current positions of the list.
    ///   - later: the changes of the list by later commits, in the order of the log.
    init(_ now: [[UInt8]], _ later: [UndoHistory.LaterLink]) {
        // An element that a commit removes does not separate the elements that the same commit
        // inserts.
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

    /// Returns the later commits that inserted elements into the gap of a restored position. Cost:
    /// O(log n).
    func commits(beside position: [UInt8]) -> [UInt64] {
        if blocks.isEmpty { return [] }
        let gap = Self.gap(of: position, positions)
        let index = blocks.partitioningIndex { $0.gaps.upperBound >= gap }
        guard index < blocks.count, blocks[index].gaps.contains(gap) else { return [] }
        return blocks[index].commits
    }

    /// Merges overlapping blocks.
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

    /// Returns the number of the gap of a position: the gap before the first position that is not
    /// less.
    private static func gap(of position: [UInt8], _ positions: [[UInt8]]) -> Int {
        positions.partitioningIndex { !$0.lexicographicallyPrecedes(position) }
    }
}

/// Gaps that were joined because the elements between them were removed.
private struct JoinedGaps {
    /// A lower gap that each gap is joined with; the lowest one refers to itself.
    private var lower: [Int]
    /// The highest gap of a joined range, by its lowest gap.
    private var highest: [Int]

    init(count: Int) {
        lower = Array(0..<count)
        highest = lower
    }

    /// Returns the range of gaps that a gap is joined with. Cost: O(log n), amortized.
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
    /// The order in which a commit changes a list: removals, then insertions.
    fileprivate var rank: Int { isLink ? 1 : 0 }
}
