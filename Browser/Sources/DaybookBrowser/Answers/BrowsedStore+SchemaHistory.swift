import Daybook

extension BrowsedStore {
    /// The changes of the layouts of all entities, oldest first.
    func schemaHistory() throws -> [SchemaChangeLine] {
        try store.schemaHistory().map { change in
            SchemaChangeLine(
                sequence: change.sequence, microseconds: change.date.microseconds,
                entity: change.entityName, differences: change.differences.map(\.words))
        }
    }
}

extension StoreSchema.Difference {
    fileprivate var words: String {
        switch self {
        case .entityAdded: "added the entity"
        case .entityRenamed(let old): "renamed the entity from \(old)"
        case .memberAdded(let name, let type): "added \(name): \(type)"
        case .memberRemoved(let name, let type): "removed \(name): \(type)"
        case .memberRenamed(let old, let new): "renamed \(old) to \(new)"
        case .memberRetyped(let name, let old, let new): "changed \(name) from \(old) to \(new)"
        case .indexAdded(let names): "added an index over \(names.joined(separator: ", "))"
        case .indexRemoved(let names): "removed an index over \(names.joined(separator: ", "))"
        }
    }
}
