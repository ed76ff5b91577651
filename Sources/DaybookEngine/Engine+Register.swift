import DaybookBytes
package import DaybookIndex

/// An entity as a program declares it.
package typealias EntityDeclaration = DaybookIndex.EntityDeclaration

extension Engine {
    /// Brings declarations and store together, in one transaction: what is new or changed is
    /// written to the log. Returns the layouts that rows of each declaration have.
    ///
    /// A read-only store takes declarations as they are and maps their fields by name. Throws
    /// `.schemaMismatch`, which names entity, property and both types, with nothing changed.
    package func register(_ declarations: [EntityDeclaration]) throws -> [EntityLayout] {
        if log.isReadOnly { return try declarations.map { try known($0) } }
        let (settled, isComplete) = try reconcile(declarations, with: schemas.schema)
        if isComplete { return settled }
        return try write { transaction in
            var schema = schemas.schema
            return try declarations.map { declaration in
                let change = try schema.reconcile(declaration)
                if case .changed(let layout) = change {
                    try schema.add(layout)
                    try transaction.define(layout)
                }
                return change.layout
            }
        }
    }

    private func reconcile(
        _ declarations: [EntityDeclaration], with schema: Schema
    ) throws(DaybookError) -> (layouts: [EntityLayout], isComplete: Bool) {
        var isComplete = true
        var layouts: [EntityLayout] = []
        for declaration in declarations {
            let change = try schema.reconcile(declaration)
            if case .changed = change { isComplete = false }
            layouts.append(change.layout)
        }
        return (layouts, isComplete)
    }

    private func known(_ declaration: EntityDeclaration) throws(DaybookError) -> EntityLayout {
        let change = try schemas.schema.reconcile(declaration)
        guard schemas.schema.entity(named: declaration.name) != nil else {
            throw DaybookError(
                .schemaMismatch,
                "The store has no entity '\(declaration.name)', and it was opened read-only."
                    + " Open it for writing once, so that the entity is added.",
                details: ["entity": declaration.name])
        }
        switch change {
        case .unchanged(let layout): return layout
        case .changed(var layout):
            // The number that it would get is a writer's to give, perhaps to something else.
            layout.layoutID = 0
            return layout
        }
    }
}
