import DaybookBytes
import DaybookRecords

/// Whose changes are wanted: objects of some entities, and the links that lead from them or to
/// them.
package struct EntityFilter: Sendable, Hashable {
    package var entities: Set<UInt32>
    /// Of these entities, by their numbers, an update counts only where one of the properties
    /// changed, and a link only where it is of one of them. Inserts and removals always count.
    package var properties: [UInt32: Set<UInt32>]

    package init(_ entities: Set<UInt32>, properties: [UInt32: Set<UInt32>] = [:]) {
        self.entities = entities
        self.properties = properties
    }

    /// Whether a record is part of what is wanted, as far as it tells by itself.
    func accepts(_ record: Record, _ schemas: SchemaTable) -> Bool {
        switch record.kind {
        case .put, .remove, .event: return entities.contains(record.entity)
        case .link, .unlink, .listInsert, .listRemove:
            // A relation that the log does not define is an error for whoever reads it.
            guard let relation = schemas.relation(record.relation) else { return true }
            if let wanted = properties[relation.entityID] {
                return wanted.contains(relation.propertyID)
            }
            return entities.contains(relation.entityID)
                || entities.contains(relation.targetEntityID)
        case .schema, .commit, .compacted: return false
        }
    }

    /// Those of the changes that are wanted, where the versions before have to be looked at. An
    /// update whose version before is gone counts, for nobody can tell.
    func wanted(
        of commit: CommitChanges, _ schemas: SchemaTable
    ) throws(DaybookError) -> CommitChanges {
        guard !properties.isEmpty else { return commit }
        var kept: [ObjectChange] = []
        for (index, change) in commit.objects.enumerated() {
            if change.kind == .update, let wanted = properties[change.entity],
                case .row(let before) = try commit.versionBefore(index)
            {
                let changed = try schemas.changedProperties(before, change.after)
                if wanted.isDisjoint(with: changed) { continue }
            }
            kept.append(change)
        }
        return commit.with(objects: kept)
    }
}
