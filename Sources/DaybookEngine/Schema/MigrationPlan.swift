import DaybookBytes
import DaybookRecords

extension Registration {
    /// The properties of each entity that a migration converts or drops.
    var intents: [String: PropertyIntents] {
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
    /// The entities that have objects to convert.
    private(set) var conversions: [EntityConversion] = []
    private var deletions: [Schema.Entity] = []

    /// Thrown by ``run(in:_:)`` if the migration is too large for one transaction.
    struct Oversized: Error {}

    init(
        _ registration: Registration, _ schema: Schema, _ hasRows: (UInt32) -> Bool
    ) throws(DaybookError) {
        self.registration = registration
        reconciliation = try schema.reconcile(
            registration.declarations, intents: registration.intents,
            version: registration.schemaVersion, hasRows: hasRows)
        for layout in Set(reconciliation.layouts).sorted(by: { $0.entityID < $1.entityID })
        where schema.entity(layout.entityID) != nil && layout.kind == .object {
            let due = registration.migrations.filter {
                $0.entity == layout.entityName && isDue($0, layout, schema)
            }
            if due.isEmpty { continue }
            conversions.append(
                EntityConversion(
                    to: layout, from: schema.layouts(ofEntity: layout.entityID), due,
                    reconciliation.retyped.filter { $0.entity == layout.entityName }))
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

    private func isDue(
        _ migration: EntityMigration, _ layout: EntityLayout, _ schema: Schema
    ) -> Bool {
        switch migration.purpose {
        case .convert(let property):
            return reconciliation.retyped.contains {
                $0.entity == migration.entity && $0.property == property
            }
        case .transform(nil):
            return schema.currentLayout(ofEntity: layout.entityID)?.fields != layout.fields
        case .transform(let version?):
            // After a migration in steps, the objects have a version that the schema gets later.
            let converted = schema.migrations[layout.entityID]?.version ?? 0
            return max(schema.version, converted) < version
        case .delete, .forget: return false
        }
    }

    private func isConverted(_ retyping: Retyping) -> Bool {
        let conversion = conversions.first { $0.layout.entityName == retyping.entity }
        return conversion?.migrations.contains { migration in
            switch migration.purpose {
            case .convert(let property): property == retyping.property
            case .transform: true
            case .delete, .forget: false
            }
        } ?? false
    }

    /// Whether the migration calls closures of the program.
    var convertsObjects: Bool { !conversions.isEmpty }

    /// Whether the plan writes nothing.
    func isEmpty(in engine: Engine) -> Bool {
        reconciliation.changed.isEmpty && conversions.isEmpty && objectsToDelete(engine).isEmpty
    }

    /// The entities whose objects are deleted, with the numbers of objects.
    func objectsToDelete(_ engine: Engine) -> [(entity: UInt32, count: UInt64)] {
        engine.trees.withLock { state in
            deletions.compactMap { entity in
                let count = state.applied.counts[entity.id]?.objectCount ?? 0
                return count > 0 ? (entity.id, count) : nil
            }
        }
    }

    /// Converts and removes the objects. Unique values are checked after the last conversion.
    ///
    /// Throws ``Oversized`` if the changes exceed the limit of a step. Memory: at most a step.
    func run(in transaction: WriteTransaction, _ engine: Engine) throws {
        try transaction.deferringUniqueness {
            for (entity, count) in objectsToDelete(engine) {
                guard count <= engine.options.migrationStep.count else { throw Oversized() }
                _ = try transaction.changes.remove(entity, try transaction.changes.ids(entity))
            }
            for conversion in conversions {
                var conversion = conversion
                registration.progress?(conversion.layout.entityName, 0)
                let next = try conversion.run(in: transaction, engine, registration.progress)
                guard next == MigrationProgress.complete else { throw Oversized() }
                registration.progress?(conversion.layout.entityName, 1)
            }
        }
    }
}
