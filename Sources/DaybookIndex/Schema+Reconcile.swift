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
    /// A new entity, and one whose properties or indexes were added, removed, reordered, made
    /// optional or required, or noted differently, gives a new layout. A property is known by its
    /// name and keeps its number, also when it was away for a while. The schema itself does not
    /// change: ``add(_:)`` the result.
    ///
    /// Throws `.schemaMismatch`, which names the entity, the property and both types, when a
    /// property has, or ever had, another type; and for names that are empty or stand twice.
    package func reconcile(
        _ declaration: EntityDeclaration
    ) throws(DaybookError) -> Reconciliation {
        let name = declaration.name
        try Self.checkNames(name, declaration.fields)
        let entity = entity(named: name)
        var nextPropertyID = entity?.nextPropertyID ?? 1
        var numbered: [Field] = []
        numbered.reserveCapacity(declaration.fields.count)
        for field in declaration.fields {
            if let known = entity?.property(named: field.name) {
                guard known.type == field.type else {
                    throw Self.mismatch(entity: name, field, stored: known.type)
                }
                numbered.append(Field(field, propertyID: known.id))
            } else {
                numbered.append(Field(field, propertyID: nextPropertyID))
                nextPropertyID += 1
            }
        }
        let current = entity.flatMap { currentLayout(ofEntity: $0.id) }
        let indexes = try numberedIndexes(of: declaration, numbered, current)
        if let current, current.fields == numbered, current.attributes == declaration.attributes,
            current.indexes == indexes, current.kind == declaration.kind
        {
            return .unchanged(current)
        }
        return .changed(
            EntityLayout(
                layoutID: nextLayoutID, entityID: entity?.id ?? nextEntityID, entityName: name,
                kind: declaration.kind, version: (current?.version ?? 0) + 1, fields: numbered,
                indexes: indexes, attributes: declaration.attributes))
    }

    /// The declared indexes with their numbers: that of the newest layout's for one that has not
    /// changed, a new one for all others.
    private func numberedIndexes(
        of declaration: EntityDeclaration, _ fields: [Field], _ current: EntityLayout?
    ) throws(DaybookError) -> [LayoutIndex] {
        var next = nextIndexID
        var numbered: [LayoutIndex] = []
        for index in declaration.indexes {
            var made = LayoutIndex(
                indexID: next, kind: index.kind, isUnique: index.isUnique,
                isPrimaryKey: index.isPrimaryKey, propertyIDs: [])
            for column in index.columns {
                guard let field = fields.first(where: { $0.name == column }) else {
                    throw Self.unknownColumn(column, of: declaration.name)
                }
                made.propertyIDs.append(field.propertyID)
            }
            let known = current?.indexes.first { known in
                made.indexID = known.indexID
                return known == made && Self.haveSameTypes(known, fields, current)
            }
            if known == nil {
                made.indexID = next
                next += 1
            }
            numbered.append(made)
        }
        return numbered
    }

    private static func haveSameTypes(
        _ index: LayoutIndex, _ fields: [Field], _ current: EntityLayout?
    ) -> Bool {
        index.propertyIDs.allSatisfy { propertyID in
            let now = fields.first { $0.propertyID == propertyID }
            let before = current?.fields.first { $0.propertyID == propertyID }
            return now?.type == before?.type
        }
    }

    private static func unknownColumn(_ column: String, of entity: String) -> DaybookError {
        DaybookError(
            .schemaMismatch,
            "An index of the entity \(entity) is over '\(column)', which is none of its properties."
                + " Name the properties as the store has them.",
            details: ["entity": entity, "property": column])
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
