package import DaybookBytes
package import DaybookRecords

/// An object in one version of the store.
package struct StoredObject: Sendable {
    package let entityName: String
    package let row: StoredRow
    package let schemas: SchemaTable
    /// The version that contains the object.
    let view: ReadView
    let relations: [NamedRelation]

    package var id: UInt64 { row.id }
    /// The transaction that wrote this version of the object.
    package var sequence: UInt64 { row.sequence }
    package var layout: UInt32 { row.layout }

    /// Returns the targets of each relation that has links from this object. Cost: a tree lookup
    /// for each relation of the entity, and a few ns per link.
    package func links() throws(DaybookError) -> [(name: String, targets: LinkTargets)] {
        var found: [(name: String, targets: LinkTargets)] = []
        for (name, relation) in relations.map({ ($0.name, $0.relation) }) {
            let targets = try ReadScope.read(view).targets(of: relation, from: id)
            if !targets.ids.isEmpty { found.append((name, targets)) }
        }
        return found
    }
}

/// The data that the objects of an entity in one version share, for displaying them.
package struct StoredObjects: Sendable {
    private let entityName: String
    private let schemas: SchemaTable
    private let view: ReadView
    private let relations: [NamedRelation]

    package init(of entity: UInt32, in view: ReadView, _ schemas: SchemaTable) {
        let schema = schemas.schema
        entityName = schema.entity(entity)?.name ?? ""
        relations = schema.namedRelations(from: entity)
        self.schemas = schemas
        self.view = view
    }

    /// Returns the object of a row of this version.
    package func object(_ row: StoredRow) -> StoredObject {
        StoredObject(
            entityName: entityName, row: row, schemas: schemas, view: view, relations: relations)
    }
}

/// A relation with its display name.
package struct NamedRelation: Sendable {
    package var name: String
    package var relation: Schema.Relation
}

extension Schema {
    /// Returns the relations from an entity. If a former relation has the same name as a newer one,
    /// its number is appended to its name.
    package func namedRelations(from entity: UInt32) -> [NamedRelation] {
        let all = relations(from: entity)
        return all.map { relation in
            let isTaken = all.contains {
                $0.name == relation.name && $0.relationID > relation.relationID
            }
            return NamedRelation(
                name: isTaken ? "\(relation.name)#\(relation.relationID)" : relation.name,
                relation: relation)
        }
    }
}
