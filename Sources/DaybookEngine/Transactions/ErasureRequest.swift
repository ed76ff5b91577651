import DaybookBytes
import DaybookRecords

/// The objects, or the values of their properties, to erase.
package struct ErasureRequest: Sendable, Hashable {
    /// The name of the entity.
    package var entity: String
    package var ids: [UInt64]
    /// The names of the properties; empty for whole objects.
    package var properties: [String]

    package init(_ entity: String, ids: [UInt64], properties: [String] = []) {
        self.entity = entity
        self.ids = ids
        self.properties = properties
    }
}

extension Engine {
    /// The numbers of properties in all layouts of an entity: a property that was retyped or
    /// removed has another number, and its earlier values are in the log.
    ///
    /// Throws `.invalidArgument` for an unknown property, a relation, and a property of the primary
    /// key.
    func propertyNumbers(
        _ names: [String], of entity: UInt32
    ) throws(DaybookError) -> [UInt32] {
        let schema = schemas.schema
        let layouts = schema.layouts.filter { $0.entityID == entity }
        let current = schema.currentLayout(ofEntity: entity)
        let key = current?.indexes.first(where: \.isPrimaryKey)?.propertyIDs ?? []
        var numbers: Set<UInt32> = []
        for name in names {
            let fields = layouts.flatMap(\.fields).filter { $0.name == name }
            let entityName = current?.entityName ?? ""
            func refusal(_ reason: String) -> DaybookError {
                DaybookError(
                    .invalidArgument, "The property '\(name)' of '\(entityName)' \(reason)",
                    details: ["entity": entityName, "property": name])
            }
            guard !fields.isEmpty else {
                let known = (current?.fields ?? []).map(\.name).sorted().joined(separator: ", ")
                throw refusal(
                    "does not exist, so it cannot be erased. The properties are: \(known).")
            }
            guard !fields.contains(where: { $0.type.isRelation }) else {
                throw refusal(
                    "is a relation. Erase the objects of which the links must leave the history.")
            }
            guard !fields.contains(where: { key.contains($0.propertyID) }) else {
                throw refusal("is the primary key. Erase the whole objects.")
            }
            numbers.formUnion(fields.map(\.propertyID))
        }
        return numbers.sorted()
    }
}
