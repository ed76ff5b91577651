import DaybookBytes
import DaybookPages
import DaybookRecords

/// The links of relations that a running transaction added and did not remove, in the order of the
/// ends that were read. Does not contain elements of lists.
///
/// A read includes only the operations since the last read of the same side of the relation. So a
/// transaction can alternate between changes and reads of one object with many links. Memory: some
/// 20 bytes per link and side.
struct AddedLinks {
    /// The links of each side that was read; nil before the first read.
    private var space: PageSpace?
    /// The number of the transaction's operations that are included, by side.
    private var operationCounts: [LinkSide: Int] = [:]

    /// The ids that are linked to an end, ascending, from the first above `after`. Cost: that of
    /// the operations since the last read, a tree lookup, and a few ns per id.
    mutating func ids(
        of end: LinkEnd, among operations: [PendingOperation], after: UInt64, limit: Int
    ) throws(DaybookError) -> [UInt64] {
        let side = end.side
        let space = space ?? PageSpace()
        if self.space == nil {
            space.begin(sequence: 1)
            self.space = space
        }
        var count = operationCounts[side] ?? 0
        while count < operations.count {
            let operation = operations[count]
            count += 1
            guard operation.kind.isLink, operation.entity == end.relation else { continue }
            try set(operation, side, isLinked: operation.kind == .link, in: space)
        }
        operationCounts[side] = count
        return try space.working.links(of: end, after: after, limit: limit)
    }

    /// Reverts the operation with an index. `isLinked` is whether an earlier operation of the
    /// transaction added the link.
    mutating func revert(_ operation: PendingOperation, at index: Int, isLinked: Bool) {
        guard let space else { return }
        for isBackward in [false, true] {
            let side = LinkSide(relation: operation.entity, isBackward: isBackward)
            guard let count = operationCounts[side], count > index else { continue }
            operationCounts[side] = index
            do throws(DaybookError) {
                try set(operation, side, isLinked: isLinked, in: space)
            } catch {
                // The next read begins with empty trees.
                (self.space, operationCounts) = (nil, [:])
                return
            }
        }
    }

    private func set(
        _ operation: PendingOperation, _ side: LinkSide, isLinked: Bool, in space: PageSpace
    ) throws(DaybookError) {
        let pair = side.pair(source: operation.id, target: operation.target)
        if isLinked {
            _ = try space.insert(side.tree, pair.first, pair.second)
        } else {
            _ = try space.remove(side.tree, pair.first, pair.second)
        }
    }

    /// Forgets the operations from `operation` on, which were reverted.
    mutating func roll(backTo operation: Int) {
        operationCounts = operationCounts.mapValues { min($0, operation) }
    }
}
