package import DaybookBytes

/// What a declaration means for the store.
package enum Reconciliation: Sendable, Equatable {
    /// The newest layout is what was declared.
    case unchanged(EntityLayout)
    /// This layout must be appended to the log before the first row that names it.
    case changed(EntityLayout)

    /// The layout that rows of the declaration have, appended already or not.
    package var layout: EntityLayout {
        switch self {
        case .unchanged(let layout), .changed(let layout): layout
        }
    }
}

extension Schema {
    /// Compares a declaration with what the store has.
    ///
    /// A new entity, and one whose properties were added, removed, reordered, made optional or
    /// required, or noted differently, gives a new layout. A property is known by its name and
    /// keeps its number, also when it was away for a while. The schema itself does not change:
    /// ``add(_:)`` the result.
    ///
    /// Throws `.schemaMismatch`, which names the entity, the property and both types, when a
    /// property has, or ever had, another type; and for names that are empty or stand twice.
    package func reconcile(
        name: String, fields: [FieldDeclaration], attributes: [String: String] = [:]
    ) throws(DaybookError) -> Reconciliation {
        try Self.checkNames(name, fields)
        let entity = entity(named: name)
        var nextPropertyID = entity?.nextPropertyID ?? 1
        var numbered: [Field] = []
        numbered.reserveCapacity(fields.count)
        for declaration in fields {
            if let known = entity?.property(named: declaration.name) {
                guard known.type == declaration.type else {
                    throw Self.mismatch(entity: name, declaration, stored: known.type)
                }
                numbered.append(Field(declaration, propertyID: known.id))
            } else {
                numbered.append(Field(declaration, propertyID: nextPropertyID))
                nextPropertyID += 1
            }
        }
        let current = entity.flatMap { currentLayout(ofEntity: $0.id) }
        if let current, current.fields == numbered, current.attributes == attributes {
            return .unchanged(current)
        }
        return .changed(
            EntityLayout(
                layoutID: nextLayoutID, entityID: entity?.id ?? nextEntityID, entityName: name,
                version: (current?.version ?? 0) + 1, fields: numbered, attributes: attributes))
    }

    private static func checkNames(
        _ name: String, _ fields: [FieldDeclaration]
    ) throws(DaybookError) {
        guard !name.isEmpty else {
            throw DaybookError(.schemaMismatch, "An entity has no name; give it one.")
        }
        guard fields.count <= RecordFormat.fieldCountMax else {
            throw DaybookError(
                .schemaMismatch,
                "The entity \(name) has \(fields.count) properties and may have "
                    + "\(RecordFormat.fieldCountMax); move some to an entity of their own.",
                details: ["entity": name])
        }
        var seen: Set<String> = []
        for field in fields {
            guard !field.name.isEmpty else {
                throw DaybookError(
                    .schemaMismatch, "A property of the entity \(name) has no name; give it one.",
                    details: ["entity": name])
            }
            guard seen.insert(field.name).inserted else {
                throw DaybookError(
                    .schemaMismatch,
                    "The entity \(name) declares the property \(field.name) twice; rename one.",
                    details: ["entity": name, "property": field.name])
            }
        }
    }

    private static func mismatch(
        entity: String, _ declaration: FieldDeclaration, stored: FieldType
    ) -> DaybookError {
        DaybookError(
            .schemaMismatch,
            "The property \(declaration.name) of the entity \(entity) is declared as "
                + "\(declaration.type.name), but the store has it as \(stored.name). "
                + "Declare it as \(stored.name) again, or give the new property a new name.",
            details: [
                "entity": entity, "property": declaration.name, "declared": declaration.type.name,
                "stored": stored.name,
            ])
    }
}
