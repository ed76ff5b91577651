package import DaybookBytes
package import DaybookPages

/// The completeness of an index.
package struct IndexState: Equatable, Sendable {
    /// The entity of the index.
    package var entity: UInt32
    /// Objects with lower ids are in the index; the others are added when the build continues.
    package var nextId: UInt64
    /// Objects below ``nextId`` that are not in the index, because their rows are unreadable.
    package var unread: Set<UInt64> = []

    /// `nextId` after all objects were added.
    package static let complete = UInt64.max

    /// Whether the build has processed all objects.
    package var isBuilt: Bool { nextId == Self.complete }

    /// Whether all objects are in the index.
    package var isComplete: Bool { isBuilt && unread.isEmpty }
}

/// Property indexes: their states and their entries.
extension AppliedState {
    /// The incomplete indexes with their states.
    package var incompleteIndexes: [UInt32: IndexState] {
        indexes.filter { !$0.value.isComplete }
    }

    /// Adjusts the indexes of an entity to its newest layout: adds new ones, which are empty, and
    /// clears dropped ones. Returns the number of examined indexes, all of this entity.
    @discardableResult
    package mutating func adopt(
        _ layout: EntityLayout, to space: PageSpace
    ) throws(DaybookError) -> Int {
        let kept = indexNumbers[layout.entityID] ?? []
        let wanted = Set(layout.indexes.map(\.indexID))
        for index in kept.sorted() where !wanted.contains(index) {
            try clear(index, in: space)
            // The number of a dropped index is never used again, so its slots are not either.
            try space.clear(IndexTree.vectorIds(of: index))
            _ = try space.remove(IndexTree.indexes, UInt64(index))
            indexes[index] = nil
            indexNumbers[layout.entityID]?.removeAll { $0 == index }
        }
        let isEmpty = counts[layout.entityID]?.objectCount ?? 0 == 0
        for index in wanted.sorted() where indexes[index] == nil {
            try setProgress(
                of: index, to: isEmpty ? IndexState.complete : 1, entity: layout.entityID, in: space
            )
        }
        return kept.count + wanted.count
    }

    /// Clears an index, so that it is built again.
    package mutating func reset(_ index: UInt32, in space: PageSpace) throws(DaybookError) {
        guard let state = indexes[index] else { return }
        try clear(index, in: space)
        try setProgress(of: index, to: 1, entity: state.entity, in: space)
    }

    /// Removes all entries of an index.
    private mutating func clear(
        _ index: UInt32, in space: PageSpace
    ) throws(DaybookError) {
        try space.clear(IndexTree.index(index))
        try space.clear(IndexTree.texts(of: index))
        try space.removeVectors(ofIndex: index)
        try setUnread([], of: index, in: space)
    }

    /// Records the progress of building an index.
    package mutating func setProgress(
        of index: UInt32, to nextId: UInt64, entity: UInt32, in space: PageSpace
    ) throws(DaybookError) {
        _ = try space.put(
            IndexTree.indexes, UInt64(index), WordValue(first: nextId, second: UInt64(entity)))
        if indexes[index] == nil {
            indexes[index] = IndexState(entity: entity, nextId: nextId)
            indexNumbers[entity, default: []].append(index)
        } else {
            indexes[index]?.nextId = nextId
        }
    }

    /// Records the objects below the build progress that are not in an index.
    package mutating func setUnread(
        _ ids: Set<UInt64>, of index: UInt32, in space: PageSpace
    ) throws(DaybookError) {
        guard let before = indexes[index]?.unread, before != ids else { return }
        for id in before.subtracting(ids) {
            _ = try space.remove(IndexTree.unread, UInt64(index), id)
        }
        for id in ids.subtracting(before) {
            _ = try space.insert(IndexTree.unread, UInt64(index), id)
        }
        indexes[index]?.unread = ids
    }

    /// Changes the entries of objects that their indexes contain. Cost: a tree path per entry, and
    /// an iteration over the index for objects in ``KeyChanges/forget(_:in:)``.
    package mutating func apply(
        _ keys: KeyChanges, to space: PageSpace
    ) throws(DaybookError) {
        for (place, ids) in keys.forgotten {
            guard let state = indexes[place.index] else { continue }
            try place.sweep(
                ids.filter { $0 < state.nextId && !state.unread.contains($0) }, from: space)
            try setUnread(state.unread.subtracting(ids), of: place.index, in: space)
        }
        let indexes = indexes
        try keys.apply(to: space) { index, id in
            guard let state = indexes[index] else { return false }
            return id < state.nextId
        }
        for (index, ids) in keys.missing {
            guard let state = indexes[index] else { continue }
            let reached = ids.filter { $0 < state.nextId }
            try setUnread(state.unread.union(reached), of: index, in: space)
        }
    }

    /// Reads the states from the trees of `reader`. Throws `.corruption` with `details["snapshot"]`
    /// for impossible numbers.
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
        var unread = try reader.pairs(IndexTree.unread)
        while let pair = try unread.next() {
            let index = UInt32(exactly: pair.first) ?? 0
            guard let state = states[index], pair.second < state.nextId else {
                throw contradiction("object \(pair.second) is missing in no index")
            }
            states[index]?.unread.insert(pair.second)
        }
        return states
    }
}

extension PageReader {
    /// Whether an index contains all objects. Cost: two tree lookups.
    package func isComplete(index: UInt32) throws(DaybookError) -> Bool {
        guard try get(IndexTree.indexes, UInt64(index))?.first == IndexState.complete else {
            return false
        }
        return try unreadObject(ofIndex: index) == nil
    }

    /// The first object that is missing in an index because its row is unreadable.
    package func unreadObject(ofIndex index: UInt32) throws(DaybookError) -> UInt64? {
        var cursor = try pairs(IndexTree.unread, from: (UInt64(index), 0))
        guard let pair = try cursor.next(), pair.first == UInt64(index) else { return nil }
        return pair.second
    }
}
