package import DaybookBytes
package import DaybookRecords
import DaybookLog
import DaybookPages

/// A living object, as it was at some point.
package struct StoredObject: Sendable {
    package let entityName: String
    package let row: StoredRow
    package let schemas: SchemaTable
    /// The state that it was found in, and the relations that lead from it.
    let view: ReadView
    let relations: [NamedRelation]

    package var id: UInt64 { row.id }
    /// The transaction that wrote this version.
    package var sequence: UInt64 { row.sequence }
    package var layout: UInt32 { row.layout }

    /// Where each relation leads that has links from this object: ids, ascending, and those of a
    /// list in its order. Cost: a tree walk for each relation of the entity, and a few ns a link.
    package func links() throws(DaybookError) -> [(name: String, targets: [UInt64])] {
        var found: [(name: String, targets: [UInt64])] = []
        for (name, relation) in relations.map({ ($0.name, $0.relation) }) {
            let end = LinkEnd(relation, isBackward: false, id: id)
            let targets =
                end.isList
                ? try view.list(end.relation, id).map(\.target) : try view.links(of: end)
            if !targets.isEmpty { found.append((name, targets)) }
        }
        return found
    }
}

/// What the objects of an entity in one version have in common, for those who show them.
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

    /// The object of a row that was read in the version.
    package func object(_ row: StoredRow) -> StoredObject {
        StoredObject(
            entityName: entityName, row: row, schemas: schemas, view: view, relations: relations)
    }
}

/// A relation, and the name under which its links are shown.
package struct NamedRelation: Sendable {
    package var name: String
    package var relation: Schema.Relation
}

extension Schema {
    /// The relations from an entity. Where an older one, that no layout has any more, had the name
    /// of a newer one, its number stands behind the name.
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

extension Engine {
    /// Gives each object that lived at a point, or lives now, to `visit` until that returns false:
    /// entity by entity in the order in which the store met them, and in the order of ids.
    ///
    /// Cost: for a point that of ``pastView(at:keepsIndexes:by:_:)``; then a look at each object.
    /// Throws `.historyTruncated` for a point below ``historyFloor``, `.invalidArgument` for an
    /// unknown entity, `.interrupted`, `.corruption`.
    package func forEachObject(
        until point: HistoryPoint? = nil, entity name: String? = nil, id: UInt64? = nil,
        _ control: OperationControl = OperationControl(),
        _ visit: (StoredObject) throws(DaybookError) -> Bool
    ) throws(DaybookError) {
        try requireOpen()
        let only = try name.map { name throws(DaybookError) in try entityNumber(name) }
        let view = try view(until: point, keepsIndexes: false, control.stage(0, 0.5))
        let entities = schemas.schema.entities.filter { only == nil || $0.id == only }
        let control = control.stage(point == nil ? 0 : 0.5, 1)
        for (index, entity) in entities.enumerated() {
            control.progress(Double(index) / Double(entities.count))
            let goesOn = try forEach(
                of: entity, in: view, id: id,
                control.stage(
                    Double(index) / Double(entities.count),
                    Double(index + 1) / Double(entities.count)),
                visit)
            if !goesOn { return }
        }
    }

    /// The version at a point, or the newest visible one. Cost and errors as
    /// ``forEachObject(until:entity:id:_:_:)``; `keepsIndexes` says whether anybody will ask them.
    package func view(
        until point: HistoryPoint?, keepsIndexes: Bool = true,
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> ReadView {
        try requireOpen()
        guard let point else { return ReadView(slot.pin(), log) }
        let last = try last(atOrBefore: point, control.stage(0, 0))
        return try pastView(at: last, keepsIndexes: keepsIndexes, control)
    }

    private func forEach(
        of entity: Schema.Entity, in view: ReadView, id: UInt64?, _ control: OperationControl,
        _ visit: (StoredObject) throws(DaybookError) -> Bool
    ) throws(DaybookError) -> Bool {
        let objects = StoredObjects(of: entity.id, in: view, schemas)
        if let id {
            guard let row = try view.row(entity.id, id) else { return true }
            return try visit(objects.object(row))
        }
        let count = max(1, try view.count(entity.id))
        var scan = view.scan(entity.id)
        var done = 0
        while let row = try scan.next() {
            if done % 1024 == 0 {
                try control.check()
                control.progress(Double(done) / Double(count))
            }
            done += 1
            if try !visit(objects.object(row)) { return false }
        }
        return true
    }
}
