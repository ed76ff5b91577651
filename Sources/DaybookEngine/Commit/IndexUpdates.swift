import DaybookBytes
import DaybookRecords
import DaybookPages

/// A transaction's changes of the property indexes.
struct IndexUpdates {
    /// The entries of a unique index over existing objects, in a space of their own.
    struct Fresh {
        var index: IndexPlan.Index
        var entity: UInt32
        var entries: PageSpace
        /// Existing objects that cannot be read.
        var unread: Set<UInt64>
    }

    /// The newest layouts of the entities that the transaction defines or changes.
    var layouts: [EntityLayout] = []
    var keys: KeyChanges?
    var fresh: [Fresh] = []

    var isEmpty: Bool { layouts.isEmpty && keys == nil && fresh.isEmpty }
}

extension AppliedState {
    /// Applies a transaction's changes of the indexes, after its changes of the objects.
    mutating func apply(
        _ updates: IndexUpdates, to space: PageSpace
    ) throws(DaybookError) {
        for layout in updates.layouts { try adopt(layout, to: space) }
        if let keys = updates.keys { try apply(keys, to: space) }
        for fresh in updates.fresh {
            var cursor = try fresh.entries.working.bytes(fresh.index.tree)
            while let (key, id) = try cursor.next() {
                _ = try space.put(fresh.index.tree, bytes: key.span, id)
            }
            try setProgress(
                of: fresh.index.indexID, to: IndexState.complete, entity: fresh.entity, in: space)
            try setUnread(fresh.unread, of: fresh.index.indexID, in: space)
        }
    }
}

extension IndexUpdates {
    /// The number of entries of the unique indexes that the commit builds.
    func freshEntryCount() throws(DaybookError) -> Int {
        var count = 0
        for fresh in fresh { count += try fresh.entries.working.count(fresh.index.tree) }
        return count
    }
}
