package import DaybookBytes
package import DaybookRecords

/// An entity as a program declares it.
package typealias EntityDeclaration = DaybookRecords.EntityDeclaration

/// The declarations and migrations with which a program opens a store.
package struct Registration: Sendable {
    package var declarations: [EntityDeclaration]
    /// The program's version of its schema. A store with a higher version is rejected.
    package var schemaVersion: UInt64 = 0
    /// The migrations, which run in this order.
    package var migrations: [EntityMigration] = []
    /// Called with the progress of an entity's migration, from 0 to 1.
    package var progress: (@Sendable (_ entity: String, _ fraction: Double) -> Void)?

    package init(_ declarations: [EntityDeclaration]) { self.declarations = declarations }

    /// The rules of the relations, by number. Layouts contain the declared properties first.
    func relationRules(in layouts: [EntityLayout]) -> [UInt32: RemovalRules] {
        var rules: [UInt32: RemovalRules] = [:]
        for (declaration, layout) in zip(declarations, layouts) {
            for (declared, field) in zip(declaration.fields, layout.fields) {
                if let relation = field.relation { rules[relation.relationID] = declared.rules }
            }
        }
        return rules
    }
}

extension Engine {
    /// Registers declarations without migrations; see ``register(_:willMigrate:)``.
    package func register(_ declarations: [EntityDeclaration]) throws -> [EntityLayout] {
        try register(Registration(declarations))
    }

    /// Updates the store's schema to the declarations. Returns the layout for the rows of each
    /// declaration; `willMigrate` is called with the layouts before objects are converted.
    ///
    /// One transaction writes new and changed layouts and the results of migrations. If these
    /// exceed ``EngineOptions/migrationStep``, several transactions write them, and the last one
    /// raises the version of the schema; see ``continueSteps(_:_:)``. Nothing else may write to the
    /// store meanwhile.
    ///
    /// A read-only store checks the migrations and runs none. Throws `.schemaMismatch`, which names
    /// entity, property and both types, or the conversion that an unfinished migration needs;
    /// `.schemaTooNew`; `.invalidArgument` for a migration that names an unknown entity or
    /// property. Nothing is changed then. Throws `.migrationFailed` and `.uniqueViolation` with the
    /// finished steps committed.
    package func register(
        _ registration: Registration, willMigrate: ([EntityLayout]) throws -> Void = { _ in }
    ) throws -> [EntityLayout] {
        try requireKnown(registration.schemaVersion)
        try registration.check()
        try registration.check(against: schemas.schema)
        if isFollowing { return try readingLayouts(registration.declarations) }
        let layouts = try registerWritable(registration, willMigrate)
        schemas.note(registration.relationRules(in: layouts))
        return layouts
    }

    /// Whether another process writes the commits of this store: it is read-only, or follows a
    /// replicated log. Its schema may change at any time.
    package var isFollowing: Bool { log.isReadOnly || options.shipping?.role == .following }

    private func registerWritable(
        _ registration: Registration, _ willMigrate: ([EntityLayout]) throws -> Void
    ) throws -> [EntityLayout] {
        while true {
            try continueSteps(registration, willMigrate)
            let plan = try MigrationPlan(registration, schemas.schema, hasRows)
            if plan.isEmpty(in: self) { return plan.reconciliation.layouts }
            do {
                return try registerAtOnce(registration, willMigrate)
            } catch is MigrationPlan.Oversized {
                try beginSteps(plan, registration)
            } catch let error as DaybookError
                where error.code == .uniqueViolation && !schemas.schema.migrations.isEmpty
            {
                throw Self.notUnique(error)
            }
        }
    }

    private func registerAtOnce(
        _ registration: Registration, _ willMigrate: ([EntityLayout]) throws -> Void
    ) throws -> [EntityLayout] {
        try write { transaction in
            // Again: another thread may have registered meanwhile.
            let plan = try MigrationPlan(registration, schemas.schema, hasRows)
            for layout in plan.reconciliation.changed { try transaction.changes.define(layout) }
            // A migration that removes objects applies the rules of this program.
            schemas.note(registration.relationRules(in: plan.reconciliation.layouts))
            if plan.convertsObjects { try willMigrate(plan.reconciliation.layouts) }
            try plan.run(in: transaction, self)
            return plan.reconciliation.layouts
        }
    }

    /// The layouts with which a read-only program reads: the stored ones if they match the
    /// declarations, otherwise with the number 0.
    private func readingLayouts(
        _ declarations: [EntityDeclaration]
    ) throws(DaybookError) -> [EntityLayout] {
        let schema = schemas.schema
        let reconciliation = try schema.reconcile(declarations, hasRows: hasRows)
        return try declarations.indices.map { index throws(DaybookError) in
            var layout = try Self.readingLayout(reconciliation, index, schema)
            if schema.layout(layout.layoutID) != layout { layout.layoutID = 0 }
            return layout
        }
    }

    /// The layout with which a read-only program reads the current rows of one of its declarations.
    ///
    /// Valid until the schema changes: a writer may give the numbers of new properties to other
    /// properties, and may change a type. Throws `.schemaMismatch` if the store has a type that the
    /// declaration does not read, or does not have the entity.
    package func readingLayout(
        of declarations: [EntityDeclaration], at index: Int
    ) throws(DaybookError) -> EntityLayout {
        let schema = schemas.schema
        let reconciliation = try schema.reconcile(declarations, hasRows: hasRows)
        return try Self.readingLayout(reconciliation, index, schema)
    }

    private static func readingLayout(
        _ reconciliation: Reconciliation, _ index: Int, _ schema: Schema
    ) throws(DaybookError) -> EntityLayout {
        let layout = reconciliation.layouts[index]
        let retyping = reconciliation.retyped.first { $0.entity == layout.entityName }
        if let retyping { throw retyping.mismatch() }
        try requireConverted(layout, schema)
        guard schema.entity(layout.entityID) != nil else {
            throw DaybookError(
                .schemaMismatch,
                "The store has no entity '\(layout.entityName)', and it was opened read-only."
                    + " Open it for writing once, so that the entity is added.",
                details: ["entity": layout.entityName])
        }
        return layout
    }

    /// Throws `.schemaMismatch` if some objects still have a declared property in its former type.
    private static func requireConverted(
        _ layout: EntityLayout, _ schema: Schema
    ) throws(DaybookError) {
        guard let progress = schema.migrations[layout.entityID], !progress.isComplete else {
            return
        }
        let declared = layout.fields.filter { !$0.isUndeclared }.map(\.name)
        guard let property = progress.retyped.values.sorted().first(where: declared.contains)
        else { return }
        throw DaybookError(
            .schemaMismatch,
            "The migration of \(layout.entityName) is not finished, so some objects have no value"
                + " of \(property) in its new type. Open the store for writing, which finishes the"
                + " migration.", details: ["entity": layout.entityName, "property": property])
    }

    private func requireKnown(_ version: UInt64) throws(DaybookError) {
        let stored = schemas.schema.version
        guard version < stored else { return }
        throw DaybookError(
            .schemaTooNew,
            "The store was written with version \(stored) of the schema, but this program has"
                + " version \(version). Open it with a newer release of the program.",
            details: ["stored": String(stored), "declared": String(version)])
    }

    /// Whether an entity ever had objects.
    func hasRows(_ entity: UInt32) -> Bool {
        trees.withLock { $0.applied.counts[entity]?.nextId ?? 1 } > 1
    }
}
