package import DaybookBytes
package import DaybookRecords

/// Something that is done to the objects of an entity when its layout changes.
package struct EntityMigration: Sendable {
    package enum Purpose: Sendable, Equatable {
        /// Converts one property, when its type becomes one that does not hold the old values.
        case convert(property: String)
        /// Converts objects, when their layout changes; or, with a version, once when the schema
        /// gets to that.
        case transform(version: UInt64?)
        /// Removes all objects of an entity that is not declared any more.
        case delete
        /// Gives the values of a property up that is not declared any more.
        case forget(property: String)
    }

    /// The name that the entity is declared under; of one that is deleted, that in the store.
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

/// An object on its way from one layout to another.
package struct MigratedObject {
    package let id: UInt64
    /// The row as it was, under a layout that has every property that the entity ever had.
    package let oldRow: [UInt8]
    package let old: MigratedLayout
    /// The row that will be put; at first the old one as far as it is converted by itself.
    package var newRow: [UInt8]
    package let new: RowLayout
    /// The properties that were set; where there are none, nothing is put.
    package var changed: Set<String> = []
    /// Whether the object is removed instead.
    package var isRemoved = false
}

/// Every property that an entity had before an opening.
package struct MigratedLayout: Sendable {
    package let layout: RowLayout
    /// Where a property stands, by each name that it ever had; the newest owner of a name counts.
    package let places: [String: Int]
    /// Where each property stands, by its number.
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
    /// The properties of each entity that a migration converts or gives up.
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

    /// Looks at the migrations and the declarations by themselves. Throws `.invalidArgument` for
    /// migrations that contradict what is declared.
    package func check() throws(DaybookError) {
        for migration in migrations {
            let declaration = declarations.first { $0.name == migration.entity }
            switch migration.purpose {
            case .delete where declaration != nil:
                throw DaybookError(
                    .invalidArgument,
                    "A migration deletes the objects of \(migration.entity), which is declared."
                        + " Remove the migration, or the declaration.",
                    details: ["entity": migration.entity])
            case .convert where declaration.map { $0.kind != .object } == true,
                .transform where declaration.map { $0.kind != .object } == true:
                throw DaybookError(
                    .invalidArgument,
                    "A migration converts \(migration.entity), which has no objects of its own."
                        + " Convert the objects that contain its values; events stay as they are.",
                    details: ["entity": migration.entity])
            case .forget(let property)
            where declaration?.fields.contains { $0.name == property } == true:
                throw DaybookError(
                    .invalidArgument,
                    "A migration gives up the property \(property) of \(migration.entity), which is"
                        + " declared. Remove the migration, or the declaration.",
                    details: ["entity": migration.entity, "property": property])
            case .transform(let version?) where version > schemaVersion:
                throw DaybookError(
                    .invalidArgument,
                    "A migration of \(migration.entity) leads to version \(version) of the schema,"
                        + " and the program's is \(schemaVersion). Raise the version in the store's"
                        + " options.",
                    details: ["entity": migration.entity, "version": String(version)])
            default: break
            }
        }
    }
}

/// What an opening changes.
struct MigrationPlan {
    let reconciliation: Reconciliation
    private let registration: Registration
    private let schema: Schema
    /// What is to be done to the objects of each entity that has any conversion.
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

    /// Whether objects go through a program's hands.
    var convertsObjects: Bool { !conversions.isEmpty }

    /// Whether there is nothing to write.
    func isEmpty(in engine: Engine) -> Bool {
        let hasObjects = deletions.contains { entity in
            engine.trees.withLock { $0.fold.counts[entity.id]?.objectCount ?? 0 } > 0
        }
        return reconciliation.changed.isEmpty && conversions.isEmpty && !hasObjects
    }

    /// Converts and removes the objects. What is unique counts at the end of all.
    ///
    /// Memory: the rows of all objects that are converted, until the transaction ends.
    func run(in transaction: WriteTransaction, _ schemas: SchemaTable) throws {
        try transaction.deferringUniqueness { try convertAll(transaction, schemas) }
    }

    private func convertAll(_ transaction: WriteTransaction, _ schemas: SchemaTable) throws {
        for entity in deletions {
            _ = try transaction.remove(entity.id, try transaction.ids(entity.id))
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
        let ids = try transaction.ids(entity)
        for (index, id) in ids.enumerated() {
            guard let row = try transaction.row(entity, id) else { continue }
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
                _ = try transaction.remove(entity, id)
                continue
            }
            try checkRetyped(object)
            if !object.changed.isEmpty {
                try transaction.put(
                    entity, id, layout: layout.layoutID, row: object.newRow.span)
            }
            if index % 256 == 255 {
                registration.progress?(layout.entityName, Double(index + 1) / Double(ids.count))
            }
        }
    }

    /// A value that would get lost by the new type must have been set anew: else the migration is
    /// for something else, perhaps that of an older program.
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
            "The migration of object \(id) of \(entity) failed; the store is as it was. Mend the"
                + " migration, or the object with the program that wrote it.",
            cause: cause, details: ["entity": entity, "id": String(id)])
    }
}
