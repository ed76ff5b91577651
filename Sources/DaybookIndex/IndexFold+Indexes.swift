package import DaybookBytes
package import DaybookPages

/// How far an index is.
package struct IndexState: Equatable, Sendable {
    /// The entity that it is of.
    package var entity: UInt32
    /// Objects with ids below this are in it; those above come when it is built further.
    package var nextId: UInt64

    /// What `nextId` is once all objects are in it.
    package static let complete = UInt64.max

    package init(entity: UInt32, nextId: UInt64) {
        self.entity = entity
        self.nextId = nextId
    }

    package var isComplete: Bool { nextId == Self.complete }
}

/// The indexes of the properties: which there are, how far they are, what is in them.
extension IndexFold {
    /// Indexes that are not complete, with their states.
    package var incompleteIndexes: [UInt32: IndexState] {
        indexes.filter { !$0.value.isComplete }
    }

    /// Makes the indexes of an entity those of its newest layout: new ones are empty, and those
    /// that are gone are emptied.
    package mutating func adopt(
        _ layout: EntityLayout, to space: PageSpace
    ) throws(DaybookError) {
        let wanted = Set(layout.indexes.map(\.indexID))
        for (index, state) in indexes.sorted(by: { $0.key < $1.key })
        where state.entity == layout.entityID && !wanted.contains(index) {
            try space.clear(IndexTree.index(index))
            _ = try space.remove(IndexTree.indexes, UInt64(index))
            indexes[index] = nil
        }
        let isEmpty = counts[layout.entityID]?.objectCount ?? 0 == 0
        for index in wanted.sorted() where indexes[index] == nil {
            try setProgress(
                of: index, to: isEmpty ? IndexState.complete : 1, entity: layout.entityID, in: space
            )
        }
    }

    /// Empties an index, which is then to be built anew.
    package mutating func reset(_ index: UInt32, in space: PageSpace) throws(DaybookError) {
        guard let state = indexes[index] else { return }
        try space.clear(IndexTree.index(index))
        try setProgress(of: index, to: 1, entity: state.entity, in: space)
    }

    /// Notes which objects are in an index.
    package mutating func setProgress(
        of index: UInt32, to nextId: UInt64, entity: UInt32, in space: PageSpace
    ) throws(DaybookError) {
        let state = IndexState(entity: entity, nextId: nextId)
        _ = try space.put(
            IndexTree.indexes, UInt64(index),
            WordValue(first: state.nextId, second: UInt64(state.entity)))
        indexes[index] = state
    }

    /// Changes the entries of those objects that their indexes have got to.
    package func apply(_ keys: KeyChanges, to space: PageSpace) throws(DaybookError) {
        try keys.apply(to: space) { index, id in
            guard let state = indexes[index] else { return false }
            return id < state.nextId
        }
    }

    /// The states that the trees of `reader` tell. Throws `.corruption` with `details["snapshot"]`
    /// for numbers that no fold can come to.
    static func indexStates(
        in reader: PageReader
    ) throws(DaybookError) -> [UInt32: IndexState] {
        var states: [UInt32: IndexState] = [:]
        var cursor = try reader.words(IndexTree.indexes)
        while let entry = try cursor.next() {
            let limit = UInt64(IndexTree.entityMax)
            guard entry.key > 0, entry.key <= limit, entry.value.second > 0,
                entry.value.second <= limit
            else { throw contradiction("\(entry.key) is no index") }
            states[UInt32(truncatingIfNeeded: entry.key)] = IndexState(
                entity: UInt32(truncatingIfNeeded: entry.value.second), nextId: entry.value.first)
        }
        return states
    }
}
