import DaybookBytes
package import DaybookRecords

/// One migration step: how the objects of an entity change when its layout changes.
package struct EntityMigration: Sendable {
    package enum Purpose: Sendable, Equatable {
        /// Converts one property whose new type does not hold all values of the old type.
        case convert(property: String)
        /// Converts objects whenever their layout changes; with a version, once, at the opening
        /// that raises the schema to that version.
        case transform(version: UInt64?)
        /// Removes all objects of an entity that is no longer declared.
        case delete
        /// Drops the values of a property that is no longer declared.
        case forget(property: String)
    }

    /// The declared name of the entity; for ``Purpose/delete`` its stored name.
    package var entity: String
    package var purpose: Purpose
    package var body: @Sendable (inout MigratedObject) throws -> Void

    package init(
        _ entity: String, _ purpose: Purpose,
        _ body: @escaping @Sendable (inout MigratedObject) throws -> Void = { _ in }
    ) {
        self.entity = entity
        self.purpose = purpose
        self.body = body
    }
}

/// An object while it is converted from its old layout to the declared one.
package struct MigratedObject {
    package let id: UInt64
    /// The row before the migration, in a layout with every property that the entity ever had.
    package let oldRow: [UInt8]
    package let old: MigratedLayout
    /// The row to put; at first the old row with all automatic conversions applied.
    package var newRow: [UInt8]
    package let new: RowLayout
    /// The properties that the migration set; if it set none, the object is not put.
    package var changed: Set<String> = []
    /// Whether the object is removed instead.
    package var isRemoved = false
}

/// Every property that an entity had before an opening.
package struct MigratedLayout: Sendable {
    package let layout: RowLayout
    /// The index of each property by each name that it ever had. The newest owner of a name wins.
    package let places: [String: Int]
    /// The index of each property by its number.
    package let numbers: [UInt32: Int]

    init(_ layouts: [EntityLayout], declared: EntityLayout) {
        var fields: [Field] = []
        var indexes: [UInt32: Int] = [:]
        var places: [String: Int] = [:]
        for layout in layouts {
            for field in layout.fields {
                let place = indexes[field.propertyID] ?? fields.count
                if place == fields.count {
                    fields.append(field)
                    indexes[field.propertyID] = place
                }
                if places[field.name] == nil { places[field.name] = place }
            }
        }
        for field in declared.fields where places[field.name] == nil {
            places[field.name] = indexes[field.propertyID]
        }
        var all = layouts.first ?? declared
        all.fields = fields
        layout = RowLayout(all)
        self.places = places
        numbers = indexes
    }
}

extension Registration {
    /// The properties of each entity that a migration converts or drops.
    fileprivate var intents: [String: PropertyIntents] {
        migrations.reduce(into: [:]) { intents, migration in
            switch migration.purpose {
            case .convert(let property):
                intents[migration.entity, default: PropertyIntents()].converted.insert(property)
            case .forget(let property):
                intents[migration.entity, default: PropertyIntents()].forgotten.insert(property)
            case .transform, .delete: break
            }
        }
    }
}

/// The changes that an opening makes to the schema and to objects.
struct MigrationPlan {
    let reconciliation: Reconciliation
    private let registration: Registration
    private let schema: Schema
    /// The steps to run for each entity that has objects to convert.
    private var conversions: [(layout: EntityLayout, migrations: [EntityMigration])] = []
    private var deletions: [Schema.Entity] = []

    init(
        _ registration: Registration, _ schema: Schema, _ hasRows: (UInt32) -> Bool
    ) throws(DaybookError) {
        self.registration = registration
        self.schema = schema
        reconciliation = try schema.reconcile(
            registration.declarations, intents: registration.intents,
            version: registration.schemaVersion, hasRows: hasRows)
        for layout in Set(reconciliation.layouts).sorted(by: { $0.entityID < $1.entityID })
        where schema.entity(layout.entityID) != nil && layout.kind == .object {
            let due = registration.migrations.filter {
                $0.entity == layout.entityName && isDue($0, layout)
            }
            if !due.isEmpty { conversions.append((layout, due)) }
        }
        for retyping in reconciliation.retyped where !isConverted(retyping) {
            throw retyping.mismatch()
        }
        for migration in registration.migrations where migration.purpose == .delete {
            let entity = schema.entity(named: migration.entity)
            if let entity, !reconciliation.layouts.contains(where: { $0.entityID == entity.id }) {
                deletions.append(entity)
            }
        }
    }

    private func isDue(_ migration: EntityMigration, _ layout: EntityLayout) -> Bool {
        switch migration.purpose {
        case .convert(let property):
            reconciliation.retyped.contains {
                $0.entity == migration.entity && $0.property == property
            }
        case .transform(nil):
            schema.currentLayout(ofEntity: layout.entityID)?.fields != layout.fields
        case .transform(let version?): schema.version < version
        case .delete, .forget: false
        }
    }

    private func isConverted(_ retyping: Retyping) -> Bool {
        let due = conversions.first { $0.layout.entityName == retyping.entity }?.migrations ?? []
        return due.contains { migration in
            switch migration.purpose {
            case .convert(let property): property == retyping.property
            case .transform: true
            case .delete, .forget: false
            }
        }
    }

    /// Whether the migration calls closures of the program.
    var convertsObjects: Bool { !conversions.isEmpty }

    /// Whether the plan writes nothing.
    func isEmpty(in engine: Engine) -> Bool {
        let hasObjects = deletions.contains { entity in
            engine.trees.withLock { $0.applied.counts[entity.id]?.objectCount ?? 0 } > 0
        }
        return reconciliation.changed.isEmpty && conversions.isEmpty && !hasObjects
    }

    /// Converts and removes the objects. Unique values are checked after the last step.
    ///
    /// Memory: the rows of all converted objects, until the transaction ends.
    func run(in transaction: WriteTransaction, _ schemas: SchemaTable) throws {
        try transaction.deferringUniqueness { try convertAll(transaction, schemas) }
    }

    private func convertAll(_ transaction: WriteTransaction, _ schemas: SchemaTable) throws {
        for entity in deletions {
            _ = try transaction.changes.remove(entity.id, try transaction.changes.ids(entity.id))
        }
        for (layout, migrations) in conversions {
            registration.progress?(layout.entityName, 0)
            try convert(layout, migrations, transaction, schemas)
            registration.progress?(layout.entityName, 1)
        }
    }

    private func convert(
        _ layout: EntityLayout, _ migrations: [EntityMigration],
        _ transaction: WriteTransaction, _ schemas: SchemaTable
    ) throws {
        let entity = layout.entityID
        let old = MigratedLayout(schema.layouts(ofEntity: entity), declared: layout)
        let new = RowLayout(layout)
        var translations: [UInt32: (old: RowTranslation, new: RowTranslation)] = [:]
        let ids = try transaction.changes.ids(entity)
        for (index, id) in ids.enumerated() {
            guard let row = try transaction.changes.row(entity, id) else { continue }
            if translations[row.layout] == nil {
                let stored = try schemas.rowLayout(row.layout)
                translations[row.layout] = (
                    RowTranslation(from: stored, to: old.layout),
                    RowTranslation(from: stored, to: new)
                )
            }
            guard let translation = translations[row.layout] else { continue }
            var object = MigratedObject(
                id: id, oldRow: try translation.old.translate(row.bytes), old: old,
                newRow: try translation.new.translate(row.bytes), new: new)
            for migration in migrations where !object.isRemoved {
                do {
                    try Engine.withoutStores { try migration.body(&object) }
                } catch {
                    throw Self.failed(layout.entityName, id, error)
                }
            }
            if object.isRemoved {
                _ = try transaction.changes.remove(entity, id)
                continue
            }
            try checkRetyped(object)
            if !object.changed.isEmpty {
                try transaction.changes.put(
                    entity, id, layout: layout.layoutID, row: object.newRow.span)
            }
            if index % 256 == 255 {
                registration.progress?(layout.entityName, Double(index + 1) / Double(ids.count))
            }
        }
    }

    /// Throws `.schemaMismatch` if a value would be lost because no migration set the retyped
    /// property; such a migration was written for another change.
    private func checkRetyped(_ object: MigratedObject) throws(DaybookError) {
        for retyping in reconciliation.retyped
        where retyping.entity == object.new.layout.entityName
            && !object.changed.contains(retyping.property)
        {
            let old = object.old
            guard let place = old.numbers[retyping.propertyID] else { continue }
            let layout = old.layout
            if try !RowView(object.oldRow.span, layout).isNull(place) { throw retyping.mismatch() }
        }
    }

    private static func failed(_ entity: String, _ id: UInt64, _ cause: any Error) -> DaybookError {
        DaybookError(
            .migrationFailed,
            "The migration of object \(id) of \(entity) failed. The store is unchanged. Correct"
                + " the migration, or change the object with the program that wrote it.",
            cause: cause, details: ["entity": entity, "id": String(id)])
    }
}
