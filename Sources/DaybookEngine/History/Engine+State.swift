package import DaybookBytes
package import DaybookRecords
import DaybookLog
import DaybookPages

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

    /// Returns the targets of each relation that has links from this object: ids in ascending
    /// order, or in list order for a list. Cost: a tree lookup for each relation of the entity, and
    /// a few ns per link.
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

extension Engine {
    /// Calls `visit` with each object that exists at a point, or now, until it returns false. The
    /// order is by entity, in the order of their creation, then by id.
    ///
    /// Cost: for a point, the cost of ``pastView(at:keepsIndexes:by:_:)``; then a read of each
    /// object. Throws `.historyTruncated` for a point below ``historyFloor``, `.invalidArgument`
    /// for an unknown entity, `.interrupted` and `.corruption`.
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

    /// Returns the version at a point, or the newest visible one. `keepsIndexes` is false if the
    /// caller does not use the indexes. See ``forEachObject(until:entity:id:_:_:)`` for cost and
    /// errors.
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
