package import DaybookRecords

extension StoreSchema {
    /// A difference between two layouts of an entity.
    public enum Difference: Sendable, Hashable {
        /// The entity is new.
        case entityAdded
        /// The entity had another name.
        case entityRenamed(from: String)
        /// A property or relation is new. The type of a relation has its target:
        /// `toOne<Person>`.
        case memberAdded(name: String, type: String)
        /// A property or relation is no longer declared. Stored objects keep its values.
        case memberRemoved(name: String, type: String)
        /// A property or relation had another name.
        case memberRenamed(from: String, to: String)
        /// A property or relation had another type.
        case memberRetyped(name: String, from: String, to: String)
        /// An index is new.
        case indexAdded(properties: [String])
        /// An index is no longer in the layout.
        case indexRemoved(properties: [String])
    }

    /// The differences between a layout and the one before it; nil for the first of an entity.
    package static func differences(
        from old: EntityLayout?, to new: EntityLayout, _ schema: Schema
    ) -> [Difference] {
        var found: [Difference] = []
        if let old {
            if old.entityName != new.entityName {
                found.append(.entityRenamed(from: old.entityName))
            }
        } else {
            found.append(.entityAdded)
        }
        let declared = (old?.fields ?? []).filter { !$0.isUndeclared }
        let before = Dictionary(
            declared.map { ($0.propertyID, $0) }, uniquingKeysWith: { first, _ in first })
        let fields = new.fields.filter { !$0.isUndeclared }
        for field in fields {
            let type = type(of: field, schema)
            guard let former = before[field.propertyID] else {
                found.append(.memberAdded(name: field.name, type: type))
                continue
            }
            if former.name != field.name {
                found.append(.memberRenamed(from: former.name, to: field.name))
            }
            let formerType = Self.type(of: former, schema)
            if formerType != type {
                found.append(.memberRetyped(name: field.name, from: formerType, to: type))
            }
        }
        let numbers = Set(fields.map(\.propertyID))
        for field in declared where !numbers.contains(field.propertyID) {
            found.append(.memberRemoved(name: field.name, type: type(of: field, schema)))
        }
        let (oldIndexes, newIndexes) = (old?.indexes ?? [], new.indexes)
        found += newIndexes.filter { !oldIndexes.contains($0) }
            .map { .indexAdded(properties: names(of: $0, new)) }
        if let old {
            found += oldIndexes.filter { !newIndexes.contains($0) }
                .map { .indexRemoved(properties: names(of: $0, old)) }
        }
        return found
    }

    private static func type(of field: Field, _ schema: Schema) -> String {
        if let type = ValueType(field.shape) { return type.description }
        let relation = field.relation.flatMap { schema.relation($0.relationID) }
        let target = relation.flatMap { schema.entity($0.targetEntityID)?.name } ?? ""
        return "\(Relation.Kind(field.type).rawValue)<\(target)>"
    }

    private static func names(of index: LayoutIndex, _ layout: EntityLayout) -> [String] {
        index.propertyIDs.map { id in
            layout.fields.first { $0.propertyID == id }?.name ?? "property \(id)"
        }
    }
}
