import DaybookBytes
import DaybookRecords

// A migration that exceeds the size of a step is committed in several transactions. The first one
// defines the layouts. Each later one converts some objects of one entity, in the order of their
// ids, and notes the next id in the layout's record. The last one defines the final layouts, with
// their unique indexes, and raises the version of the schema. So an opening after a crash continues
// at the next id, and no object is converted twice.
extension Engine {
    /// Removes the objects of deleted entities, or begins to convert objects.
    func beginSteps(_ plan: MigrationPlan, _ registration: Registration) throws {
        let deletions = plan.objectsToDelete(self)
        for (entity, _) in deletions { try removeAll(entity) }
        // The conversions may fit in one transaction now.
        guard deletions.isEmpty else { return }
        try write { transaction in
            let plan = try MigrationPlan(registration, schemas.schema, hasRows)
            var declarations = registration.declarations
            for conversion in plan.conversions {
                let progress = MigrationProgress(conversion, version: registration.schemaVersion)
                for index in declarations.indices
                where declarations[index].name == conversion.layout.entityName {
                    // Objects may exchange unique values between two steps.
                    declarations[index].indexes.removeAll { $0.isUnique || $0.isPrimaryKey }
                    declarations[index].attributes.merge(progress.attributes) { $1 }
                }
            }
            let reconciliation = try schemas.schema.reconcile(
                declarations, intents: registration.intents, hasRows: hasRows)
            for layout in reconciliation.changed { try transaction.changes.define(layout) }
        }
    }

    private func removeAll(_ entity: UInt32) throws {
        // The removed objects before this one have tombstones, which a search would walk over.
        var nextId: UInt64? = 1
        while let id = nextId {
            nextId = try write { transaction in
                let ids = try transaction.changes.storedIds(
                    entity, from: id, limit: options.migrationStep.count)
                _ = try transaction.changes.remove(entity, ids)
                return ids.last.map { $0 + 1 }
            }
        }
    }

    /// Converts the rest of the objects of migrations that an earlier opening or
    /// ``beginSteps(_:_:)`` began; does nothing without such a migration. The caller then defines
    /// the final layouts.
    ///
    /// Throws `.schemaTooNew` or `.schemaMismatch`, with nothing changed, if the program cannot
    /// continue. Throws `.migrationFailed`; the steps before stay.
    func continueSteps(
        _ registration: Registration, _ willMigrate: ([EntityLayout]) throws -> Void
    ) throws {
        let migrations = schemas.schema.migrations
        guard !migrations.isEmpty else { return }
        for (entity, progress) in migrations {
            try requireContinuable(entity, progress, registration)
        }
        // Throws if the program could not finish after the last step.
        var plan = try MigrationPlan(registration, schemas.schema, hasRows)
        let rest = migrations.filter { !$0.value.isComplete }.keys.sorted()
        guard !rest.isEmpty else { return }
        if try defineEmbedded(registration) {
            plan = try MigrationPlan(registration, schemas.schema, hasRows)
        }
        schemas.note(registration.relationRules(in: plan.reconciliation.layouts))
        try willMigrate(plan.reconciliation.layouts)
        for entity in rest {
            var isComplete = false
            while !isComplete {
                isComplete = try write { transaction in
                    try self.convertStep(entity, registration, in: transaction)
                }
            }
        }
    }

    /// Defines the layouts of embedded values, because the rows of the converted objects contain
    /// their numbers. Returns whether there were any changes.
    private func defineEmbedded(_ registration: Registration) throws -> Bool {
        try write { transaction in
            let reconciliation = try schemas.schema.reconcile(
                registration.declarations.filter { $0.kind == .embedded },
                intents: registration.intents, hasRows: hasRows)
            for layout in reconciliation.changed { try transaction.changes.define(layout) }
            return !reconciliation.changed.isEmpty
        }
    }

    /// Converts the next objects of an entity. Returns whether all objects are converted.
    private func convertStep(
        _ entity: UInt32, _ registration: Registration, in transaction: WriteTransaction
    ) throws -> Bool {
        let schema = schemas.schema
        guard let layout = schema.currentLayout(ofEntity: entity),
            let progress = schema.migrations[entity], !progress.isComplete
        else { return true }
        var conversion = EntityConversion(continuing: progress, layout, schema, registration)
        transaction.changes.putsWholeRows = true
        let nextId = try conversion.run(
            in: transaction, self, from: progress.nextId, registration.progress)
        try transaction.changes.define(layout.noting(progress.advanced(to: nextId)))
        guard nextId == MigrationProgress.complete else { return false }
        registration.progress?(layout.entityName, 1)
        return true
    }

    private func requireContinuable(
        _ entity: UInt32, _ progress: MigrationProgress, _ registration: Registration
    ) throws(DaybookError) {
        let name = schemas.schema.entity(entity)?.name ?? ""
        guard progress.version <= registration.schemaVersion else {
            throw DaybookError(
                .schemaTooNew,
                "The migration of \(name) to version \(progress.version) of the schema is not"
                    + " finished, and this program has version \(registration.schemaVersion). Open"
                    + " the store with a newer release of the program, which finishes the"
                    + " migration.",
                details: [
                    "entity": name, "stored": String(progress.version),
                    "declared": String(registration.schemaVersion),
                ])
        }
        guard !progress.isComplete else { return }
        let registered = registration.steps(of: name)
        let missing = progress.steps.filter { registered[$0.key] != $0.value }.keys
        guard let first = missing.map(\.text).sorted().first else { return }
        throw DaybookError(
            .schemaMismatch,
            "The migration of \(name) is not finished: the objects from \(progress.nextId) on need"
                + " the \(first), which this program does not have in the same number. Open the"
                + " store with the migrations that began it. The history contains the objects as"
                + " they were before.",
            details: ["entity": name, "step": first, "nextId": String(progress.nextId)])
    }

    /// The error for objects that have the same unique value after the last step.
    static func notUnique(_ cause: DaybookError) -> DaybookError {
        DaybookError(
            .uniqueViolation,
            "All objects are converted, but two have the same unique value. \(cause.message) The"
                + " migration is finished once a transformation to a higher version of the schema"
                + " has changed one of them.", cause: cause, details: cause.details)
    }
}

extension Registration {
    /// The conversions of an entity, with the number of each.
    fileprivate func steps(of entity: String) -> [MigrationProgress.Step: Int] {
        migrations.filter { $0.entity == entity }.compactMap(\.step).counts
    }
}

extension EntityMigration {
    fileprivate var step: MigrationProgress.Step? {
        switch purpose {
        case .convert(let property): .convert(property)
        case .transform(let version): .transform(version)
        case .delete, .forget: nil
        }
    }
}

extension Array where Element: Hashable {
    fileprivate var counts: [Element: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}

extension MigrationProgress {
    fileprivate init(_ conversion: EntityConversion, version: UInt64) {
        self.init(
            version: version, steps: conversion.migrations.compactMap(\.step).counts,
            retyped: Dictionary(
                conversion.retyped.map { ($0.propertyID, $0.property) },
                uniquingKeysWith: { first, _ in first }))
    }
}

extension MigrationProgress.Step {
    fileprivate var text: String {
        switch self {
        case .convert(let property): "conversion of \(property)"
        case .transform(nil): "transformation without a version"
        case .transform(let version?): "transformation to version \(version)"
        }
    }
}

extension EntityConversion {
    /// The conversion of the objects that earlier steps left.
    fileprivate init(
        continuing progress: MigrationProgress, _ layout: EntityLayout, _ schema: Schema,
        _ registration: Registration
    ) {
        // The newest layout is that of the converted rows.
        let layouts = Array(schema.layouts(ofEntity: layout.entityID).dropFirst())
        let migrations = registration.migrations.filter { migration in
            migration.entity == layout.entityName
                && migration.step.map { progress.steps[$0] != nil } ?? false
        }
        let retyped = progress.retyped.compactMap { number, property -> Retyping? in
            let stored = layouts.lazy.flatMap(\.fields).first { $0.propertyID == number }
            let declared = layout.fields.first { $0.name == property }
            guard let stored, let declared else { return nil }
            return Retyping(
                entity: layout.entityName, property: property, stored: stored.shape,
                declared: declared.shape, propertyID: number)
        }
        self.init(to: layout, from: layouts, migrations, retyped, isInSteps: true)
    }
}
