import DaybookBytes
import DaybookRecords

/// Accepts the changes of objects of some entities, and of the links from and to them.
package struct EntityFilter: Sendable, Hashable {
    package var entities: Set<UInt32>
    /// The properties to which changes are limited, by entity numbers. For these entities, the
    /// filter accepts an update only if one of the properties changed, and a link only if its
    /// relation is one of them. It always accepts inserts and removals.
    package var properties: [UInt32: Set<UInt32>]

    package init(_ entities: Set<UInt32>, properties: [UInt32: Set<UInt32>] = [:]) {
        self.entities = entities
        self.properties = properties
    }

    /// Whether the filter may accept a record. The record alone does not tell which properties
    /// changed.
    func accepts(_ record: Record, _ schemas: SchemaTable) -> Bool {
        switch record.kind {
        case .put, .remove, .event: return entities.contains(record.entity)
        case .link, .unlink, .listInsert, .listRemove:
            // A relation that the log does not define is an error when the record is decoded.
            guard let relation = schemas.relation(record.relation) else { return true }
            if let wanted = properties[relation.entityID] {
                return wanted.contains(relation.propertyID)
            }
            return entities.contains(relation.entityID)
                || entities.contains(relation.targetEntityID)
        case .schema, .commit, .compacted, .erased: return false
        }
    }

    /// Returns the accepted changes. Looks up preceding versions if needed, in one pass over the
    /// log. Accepts an update whose preceding version was dropped, because its changed properties
    /// are unknown.
    func wanted(
        of commit: CommitChanges, _ schemas: SchemaTable
    ) throws(DaybookError) -> CommitChanges {
        guard !properties.isEmpty else { return commit }
        let objects = commit.objects
        var unwanted: Set<Int> = []
        let filtered = objects.indices.lazy.filter { index in
            objects[index].kind == .update && properties[objects[index].entity] != nil
        }
        try commit.forEachBefore(of: filtered) { index, before throws(DaybookError) in
            guard case .row(let row) = before, let wanted = properties[objects[index].entity] else {
                return
            }
            let changed = try schemas.changedProperties(row, objects[index].after)
            if wanted.isDisjoint(with: changed) { unwanted.insert(index) }
        }
        guard !unwanted.isEmpty else { return commit }
        return commit.with(
            objects: objects.indices.filter { !unwanted.contains($0) }.map { objects[$0] })
    }
}
