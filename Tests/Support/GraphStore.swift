package import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// A store of nodes with relations of every kind and delete rule, at the level of the engine.
package final class GraphStore: Sendable {
    /// The relations; the raw value is the name of the property.
    package enum Relation: String, CaseIterable, Sendable {
        /// To-one: removing a parent removes its children.
        case parent
        /// To-one: a node cannot be removed while it guards another.
        case guarded
        /// To-many, without a delete rule.
        case friends
        /// To-many: owned nodes are removed with their owner, and when they have no owner any more.
        case owned
        /// A list.
        case playlist

        package var isToOne: Bool { self == .parent || self == .guarded }
    }

    package let engine: Engine
    package let entity: UInt32
    package let relations: [Relation: UInt32]
    private let layout: RowLayout

    /// Opens the store. A writer also declares the entity.
    package init(
        _ fileSystem: any FileSystem, access: Engine.Access = .write,
        _ change: (inout EngineOptions) -> Void = { _ in }
    ) throws {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        options.refreshIntervalMilliseconds = 0
        options.log.preallocationStepBytes = 16 << 10
        change(&options)
        engine = try Engine.open(NoteStore.path, fileSystem, access: access, options: options)
        let known = try engine.register([Self.declaration])[0]
        entity = known.entityID
        layout = RowLayout(known)
        var relations: [Relation: UInt32] = [:]
        for field in known.fields {
            if let relation = Relation(rawValue: field.name) {
                relations[relation] = field.relation?.relationID
            }
        }
        self.relations = relations
    }

    private static var declaration: EntityDeclaration {
        func field(
            _ relation: Relation, _ type: FieldType,
            _ rule: (inout RemovalRules) -> Void = { _ in }
        ) -> FieldDeclaration {
            var rules = RemovalRules()
            rule(&rules)
            return FieldDeclaration(
                name: relation.rawValue,
                shape: ValueShape(type, isOptional: true, entityName: "Node"), rules: rules)
        }
        return EntityDeclaration(
            name: "Node",
            fields: [
                FieldDeclaration(name: "text", type: .string),
                field(.parent, .toOne) { $0.onTargetRemoved = .cascade },
                field(.guarded, .toOne) { $0.onSourceRemoved = .deny },
                field(.friends, .toMany),
                field(.owned, .toMany) { rules in
                    rules.onSourceRemoved = .cascade
                    rules.removesOrphanTargets = true
                },
                field(.playlist, .objects),
            ])
    }

    package func number(_ relation: Relation) -> UInt32 { relations[relation] ?? 0 }

    /// Puts a node in the transaction; id 0 assigns a new id.
    package func put(
        _ text: String, id: UInt64 = 0, in transaction: WriteTransaction
    ) throws -> UInt64 {
        var encoder = RowEncoder(layout)
        try encoder.set(text: text, at: 0)
        encoder.finish()
        return try transaction.changes.put(
            entity, id, layout: layout.layout.layoutID, row: encoder.row
        ).id
    }

    /// Returns the strings of all nodes by id.
    package func rows() throws -> [UInt64: String] {
        var found: [UInt64: String] = [:]
        try engine.forEachRow(entity) { row in
            let layout = layout
            let bytes = row.bytes
            let view = try RowView(bytes, layout)
            found[row.id] = try view.text(0)
            return true
        }
        return found
    }

    /// Returns an end of a relation.
    package func end(
        _ relation: Relation, _ id: UInt64, isBackward: Bool = false
    ) -> LinkEnd {
        LinkEnd(
            relation: number(relation), isBackward: isBackward, id: id,
            isList: relation == .playlist)
    }
}

extension GraphStore {
    /// Returns the string of a row.
    package func text(of row: StoredRow) throws -> String {
        let layout = layout
        let bytes = row.bytes
        return try RowView(bytes, layout).text(0)
    }
}
