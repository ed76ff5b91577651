import DaybookIndex

/// Whose changes are wanted: objects of some entities, and the links that lead from them or to
/// them.
package struct EntityFilter: Sendable, Hashable {
    package var entities: Set<UInt32>

    package init(_ entities: Set<UInt32>) { self.entities = entities }

    /// Whether a record is part of what is wanted.
    func accepts(_ record: Record, _ schemas: SchemaTable) -> Bool {
        switch record.kind {
        case .put, .remove, .event: return entities.contains(record.entity)
        case .link, .unlink, .listInsert, .listRemove:
            // A relation that the log does not define is an error for whoever reads it.
            guard let relation = schemas.relation(record.relation) else { return true }
            return entities.contains(relation.entityID)
                || entities.contains(relation.targetEntityID)
        case .schema, .commit, .compacted: return false
        }
    }
}
