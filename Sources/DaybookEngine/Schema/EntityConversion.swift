import DaybookBytes
import DaybookRecords

/// The size at which a migration commits a step, whichever is reached first.
package struct MigrationStep: Sendable {
    /// The length of the new rows, in bytes.
    package var bytes = 16 << 20
    /// The number of changed objects.
    package var count = 100_000

    fileprivate func isReached(by changes: PendingChanges) -> Bool {
        changes.bytes.count >= bytes || changes.operations.count >= count
    }
}

/// The conversion of the objects of one entity.
struct EntityConversion {
    /// The layout of the new rows.
    let layout: EntityLayout
    /// The conversions, in the order in which they run.
    let migrations: [EntityMigration]
    /// The properties that a conversion must set.
    let retyped: [Retyping]
    /// Whether earlier objects are already converted and committed, or may be.
    private let isInSteps: Bool
    private let old: MigratedLayout
    private let new: RowLayout
    private var translations: [UInt32: (old: RowTranslation, new: RowTranslation)] = [:]

    /// - Parameter layouts: the layouts of the entity before the conversion, newest first.
    init(
        to layout: EntityLayout, from layouts: [EntityLayout], _ migrations: [EntityMigration],
        _ retyped: [Retyping], isInSteps: Bool = false
    ) {
        self.layout = layout
        self.migrations = migrations
        self.retyped = retyped
        self.isInSteps = isInSteps
        old = MigratedLayout(layouts, declared: layout)
        new = RowLayout(layout)
    }

    /// The number of objects between two reports of progress.
    private static let reportCount = 256

    /// Converts the objects from `nextId` on, until the changes of the transaction reach the size
    /// of a step. Returns the id of the next object; `MigrationProgress.complete` after the last.
    mutating func run(
        in transaction: WriteTransaction, _ engine: Engine, from nextId: UInt64 = 1,
        _ progress: ((_ entity: String, _ fraction: Double) -> Void)?
    ) throws -> UInt64 {
        let entity = layout.entityID
        let endId = engine.trees.withLock { $0.applied.counts[entity]?.nextId ?? 1 }
        // Objects that a removal removes, too, are absent when it is their turn.
        var rest = nextId
        while true {
            let ids = try transaction.changes.storedIds(entity, from: rest, limit: Self.reportCount)
            for id in ids {
                try convert(id, in: transaction, engine, stepStart: nextId)
                rest = id + 1
                if engine.options.migrationStep.isReached(by: transaction.changes) { return rest }
            }
            guard ids.count == Self.reportCount else { return MigrationProgress.complete }
            progress?(layout.entityName, min(0.999, Double(rest) / Double(endId)))
        }
    }

    private mutating func convert(
        _ id: UInt64, in transaction: WriteTransaction, _ engine: Engine, stepStart: UInt64
    ) throws {
        guard let row = try transaction.changes.row(layout.entityID, id) else { return }
        // A repair keeps rows, but not the progress. The layout is new with the migration.
        if isInSteps, row.layout == layout.layoutID { return }
        let translation = try translation(from: row.layout, engine.schemas)
        var object = MigratedObject(
            id: id, oldRow: try translation.old.translate(row.bytes), old: old,
            newRow: try translation.new.translate(row.bytes), new: new)
        for migration in migrations where !object.isRemoved {
            do {
                try Engine.withoutStores { try migration.body(&object) }
            } catch {
                throw failed(id, stepStart, error)
            }
        }
        if object.isRemoved {
            _ = try transaction.changes.remove(layout.entityID, id)
            return
        }
        try checkRetyped(object)
        guard !object.changed.isEmpty else { return }
        try transaction.changes.put(
            layout.entityID, id, layout: layout.layoutID, row: object.newRow.span)
    }

    private mutating func translation(
        from id: UInt32, _ schemas: SchemaTable
    ) throws(DaybookError) -> (old: RowTranslation, new: RowTranslation) {
        if let known = translations[id] { return known }
        let stored = try schemas.rowLayout(id)
        let made = (
            old: RowTranslation(from: stored, to: old.layout),
            new: RowTranslation(from: stored, to: new)
        )
        translations[id] = made
        return made
    }

    /// Throws `.schemaMismatch` if a value would be lost because no migration set the retyped
    /// property; such a migration was written for another change.
    private func checkRetyped(_ object: MigratedObject) throws(DaybookError) {
        for retyping in retyped where !object.changed.contains(retyping.property) {
            guard let place = old.numbers[retyping.propertyID] else { continue }
            if try !RowView(object.oldRow.span, old.layout).isNull(place) {
                throw retyping.mismatch()
            }
        }
    }

    private func failed(_ id: UInt64, _ stepStart: UInt64, _ cause: any Error) -> DaybookError {
        let entity = layout.entityName
        guard isInSteps else {
            return DaybookError(
                .migrationFailed,
                "The migration of object \(id) of \(entity) failed. The store is unchanged. Correct"
                    + " the migration, or change the object with the program that wrote it.",
                cause: cause, details: ["entity": entity, "id": String(id)])
        }
        return DaybookError(
            .migrationFailed,
            "The migration of object \(id) of \(entity) failed. The store is intact, and the"
                + " objects below \(stepStart) are converted. Correct the migration: the next"
                + " opening continues with object \(stepStart).",
            cause: cause,
            details: ["entity": entity, "id": String(id), "nextId": String(stepStart)])
    }
}
