package import DaybookBytes
package import DaybookPages

// Reverts trees to an earlier state.
extension AppliedState {
    /// Reverts an object's entry; nil removes it. Returns the entry it replaces.
    /// ``writeCounts(to:)`` writes the changed counts to the trees.
    ///
    /// Next ids are not reverted, because an id is never assigned twice.
    package mutating func setBack(
        _ entity: UInt32, _ id: UInt64, to entry: ObjectEntry?, in space: PageSpace
    ) throws(DaybookError) -> ObjectEntry? {
        let tree = IndexTree.objects(of: entity)
        let old =
            if let entry {
                try space.put(tree, id, entry.value)
            } else {
                try space.remove(tree, id)
            }
        let before = old.map { ObjectEntry($0) }
        let change = (entry.isLiving ? 1 : 0) - (before.isLiving ? 1 : 0)
        var count = counts[entity] ?? EntityCount()
        try count.add(Int64(change), to: entity)
        counts[entity] = count
        return before
    }

    /// Writes the counts of all entities to the trees.
    package func writeCounts(to space: PageSpace) throws(DaybookError) {
        for (entity, count) in counts.sorted(by: { $0.key < $1.key }) {
            _ = try space.put(
                IndexTree.entities, UInt64(entity),
                WordValue(first: count.nextId, second: count.objectCount))
        }
    }

    /// Drops an index without removing its entries; no lookup uses it afterwards.
    package mutating func forget(_ index: UInt32, in space: PageSpace) throws(DaybookError) {
        guard let state = indexes[index] else { return }
        try setUnread([], of: index, in: space)
        _ = try space.remove(IndexTree.indexes, UInt64(index))
        indexes[index] = nil
        indexNumbers[state.entity]?.removeAll { $0 == index }
    }
}

extension ObjectEntry? {
    /// Whether the object exists.
    package var isLiving: Bool { self.map { !$0.isRemoved } ?? false }
}
