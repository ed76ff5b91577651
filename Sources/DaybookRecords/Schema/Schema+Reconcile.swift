package import DaybookBytes

/// The result of comparing a program's declarations with the stored schema.
package struct Reconciliation: Sendable, Equatable {
    /// The layout for new rows of each declaration, in the order of the declarations.
    package var layouts: [EntityLayout] = []
    /// The new layouts, to be appended to the log in this order before the first row that uses
    /// them.
    package var changed: [EntityLayout] = []
    /// The properties whose values a migration must convert.
    package var retyped: [Retyping] = []
}

/// A program's intents for properties of an entity, besides their declaration.
package struct PropertyIntents: Sendable {
    /// Properties that a migration converts, whatever their stored type is.
    package var converted: Set<String> = []
    /// Undeclared properties whose values are dropped.
    package var forgotten: Set<String> = []

    package init() {}
}

/// A property whose new type cannot represent its stored values.
package struct Retyping: Sendable, Equatable {
    /// The declared names.
    package var entity: String
    package var property: String
    package var stored: ValueShape
    package var declared: ValueShape
    /// The number of the property in the store.
    package var propertyID: UInt32
    /// The kind of the entity. Only objects have migrations.
    package var kind: EntityKind

    package init(
        entity: String, property: String, stored: ValueShape, declared: ValueShape,
        propertyID: UInt32, kind: EntityKind = .object
    ) {
        self.entity = entity
        self.property = property
        self.stored = stored
        self.declared = declared
        self.propertyID = propertyID
        self.kind = kind
    }

    /// The error if a relation becomes a value or a value becomes a relation.
    func relationMismatch() -> DaybookError {
        DaybookError(
            .schemaMismatch,
            "The property \(property) of the entity \(entity) is declared as"
                + " \(declared.description), but stored as \(stored.description), and a migration"
                + " cannot convert between values and links. Give the property a new name, and set"
                + " the relation in a program that declares both.",
            details: [
                "entity": entity, "property": property, "declared": declared.description,
                "stored": stored.description,
            ])
    }

    /// The error if no migration converts the values.
    package func mismatch() -> DaybookError {
        let remedy =
            switch kind {
            case .object:
                "Declare it as \(stored.description) again, open the store with a migration that"
                    + " converts its values, or give the property a new name."
            case .embedded, .event:
                "Declare it as \(stored.description) again, or give the property a new name:"
                    + " \(kind.name) has no migrations. While the old property is declared, too,"
                    + " its values can be read."
            }
        return DaybookError(
            .schemaMismatch,
            "The property \(property) of the entity \(entity) is declared as"
                + " \(declared.description), but stored as \(stored.description), which is not"
                + " converted automatically. " + remedy,
            details: [
                "entity": entity, "property": property, "declared": declared.description,
                "stored": stored.description,
            ])
    }
}

extension Schema {
    /// Compares a program's declarations with the stored schema.
    ///
    /// An entity is identified by its current name; else by its `uid`; else by a former name that
    /// the store has; else by its name in any older layout.
    ///
    /// A property is identified by its name in the newest layout; else by its `uid`; else by a
    /// former name; else by its name in any older layout. In the last case it is restored with its
    /// number, unless its type does not fit and no migration converts it.
    ///
    /// A `uid` that differs from the stored one means another entity or property, even if the name
    /// is equal.
    ///
    /// A changed entity gets a new layout. Undeclared properties follow the declared ones (see
    /// ``Field/isUndeclared``), so that a put by this program does not lose their values. This
    /// method does not change the schema: call ``add(_:)`` for the changed layouts.
    ///
    /// Throws `.schemaMismatch` for empty or duplicate names, for two declarations of the same
    /// entity, for a former name that is still declared, and for another kind of entity.
    ///
    /// - Parameters:
    ///   - intents: the program's intents for properties, by entity.
    ///   - version: stored with the schema if it is higher than the stored version.
    ///   - hasRows: whether an entity ever had objects; its kind then cannot change.
    package func reconcile(
        _ declarations: [EntityDeclaration], intents: [String: PropertyIntents] = [:],
        version: UInt64 = 0, hasRows: (UInt32) -> Bool = { _ in true }
    ) throws(DaybookError) -> Reconciliation {
        var result = Reconciliation()
        let entities = try matches(of: declarations)
        var drafts: [Draft] = []
        for (index, declaration) in declarations.enumerated() {
            if let first = declarations[..<index].firstIndex(of: declaration) {
                drafts.append(Draft(declaration: index, sameAs: first))
                continue
            }
            let before = entities[index].flatMap { currentLayout(ofEntity: $0) }
            try Self.checkKind(declaration, before, hasRows)
            let matching = PropertyMatching(
                self, entities[index], declaration,
                intents: intents[declaration.name] ?? PropertyIntents(),
                isSameEntity: { stored, declared in
                    isSame(stored, declared, declarations, entities)
                })
            let (fields, retyped) = try matching.fields()
            result.retyped += retyped
            drafts.append(
                Draft(declaration: index, entity: entities[index], fields: fields, before: before))
        }
        try settle(drafts, of: declarations, version, &result)
        return result
    }

    /// The layout of a declaration before it has numbers.
    private struct Draft {
        var declaration: Int
        var sameAs: Int?
        var entity: UInt32?
        var fields: [Field] = []
        var before: EntityLayout?
    }

    /// Assigns numbers to the drafts. A layout that reuses a name comes after the layout that drops
    /// it.
    private func settle(
        _ drafts: [Draft], of declarations: [EntityDeclaration], _ version: UInt64,
        _ result: inout Reconciliation
    ) throws(DaybookError) {
        var schema = self
        var made: [Int: EntityLayout] = [:]
        let ordered = try ordered(drafts, of: declarations)
        let numbers = Dictionary(
            ordered.map { (declarations[$0.declaration].name, $0.entity) },
            uniquingKeysWith: { first, _ in first })
        for draft in ordered {
            let declaration = declarations[draft.declaration]
            let fields = try schema.relating(draft.fields, of: declaration) { numbers[$0] ?? nil }
            var layout = schema.layout(of: draft, fields, declaration)
            if layout.version != draft.before?.version {
                if version > schema.version {
                    layout.attributes[SchemaNote.version] = String(version)
                }
                try schema.add(layout)
                result.changed.append(layout)
            }
            made[draft.declaration] = layout
        }
        if version > schema.version, var layout = made[0] {
            layout.layoutID = schema.nextLayoutID
            layout.version += 1
            layout.attributes[SchemaNote.version] = String(version)
            try schema.add(layout)
            result.changed.append(layout)
            made[0] = layout
        }
        result.layouts = drafts.compactMap { made[$0.sameAs ?? $0.declaration] }
    }

    /// The drafts in the order of their layouts, each with its entity number.
    private func ordered(
        _ drafts: [Draft], of declarations: [EntityDeclaration]
    ) throws(DaybookError) -> [Draft] {
        var owners: [String: UInt32] = [:]
        for entity in entities { owners[entity.name] = entity.id }
        var next = nextEntityID
        var ordered: [Draft] = []
        var rest = drafts.filter { $0.sameAs == nil }
        while !rest.isEmpty {
            let place = rest.firstIndex { draft in
                let owner = owners[declarations[draft.declaration].name]
                return owner == nil || owner == draft.entity
            }
            guard let place else {
                throw Self.nameTaken(declarations[rest[0].declaration].name)
            }
            var draft = rest.remove(at: place)
            if let known = draft.entity {
                if let before = entity(known)?.name { owners[before] = nil }
            } else {
                draft.entity = next
                next += 1
            }
            owners[declarations[draft.declaration].name] = draft.entity
            ordered.append(draft)
        }
        return ordered
    }

    /// The fields of a layout with numbers for new relations. `number` returns the number of a
    /// declared entity. Throws `.schemaMismatch` if the target of a relation is not an entity.
    private func relating(
        _ fields: [Field], of declaration: EntityDeclaration, _ number: (String) -> UInt32?
    ) throws(DaybookError) -> [Field] {
        var fields = fields
        var next = UInt32(relations.count) + 1
        for index in fields.indices
        where fields[index].type.isRelation && fields[index].relation == nil {
            let target = fields[index].shape.entityName
            guard let targetEntityID = number(target) ?? entity(named: target)?.id else {
                throw DaybookError(
                    .schemaMismatch,
                    "The property \(fields[index].name) of \(declaration.name) refers to"
                        + " '\(target)', which is not one of the store's entities. Add that"
                        + " entity.",
                    details: ["entity": declaration.name, "property": fields[index].name])
            }
            fields[index].relation = FieldRelation(
                relationID: next, targetEntityID: targetEntityID)
            next += 1
        }
        return fields
    }

    /// The layout of a declaration: the newest stored one if it is equal.
    private func layout(
        of draft: Draft, _ fields: [Field], _ declaration: EntityDeclaration
    ) -> EntityLayout {
        let indexes = numberedIndexes(of: declaration, fields, draft.before)
        if var before = draft.before {
            before.attributes[SchemaNote.version] = nil
            if before.entityName == declaration.name, before.fields == fields,
                before.attributes == declaration.attributes, before.indexes == indexes,
                before.kind == declaration.kind, let draft = draft.before
            {
                return draft
            }
        }
        return EntityLayout(
            layoutID: nextLayoutID, entityID: draft.entity ?? nextEntityID,
            entityName: declaration.name, kind: declaration.kind,
            version: (draft.before?.version ?? 0) + 1, fields: fields, indexes: indexes,
            attributes: declaration.attributes)
    }

    /// The declared indexes with their numbers. An unchanged index keeps its number; others get new
    /// ones.
    private func numberedIndexes(
        of declaration: EntityDeclaration, _ fields: [Field], _ before: EntityLayout?
    ) -> [LayoutIndex] {
        var next = nextIndexID
        var numbered: [LayoutIndex] = []
        for index in declaration.indexes {
            var made = LayoutIndex(
                indexID: next, kind: index.kind, isUnique: index.isUnique,
                isPrimaryKey: index.isPrimaryKey,
                propertyIDs: index.columns.compactMap { column in
                    fields.first { $0.name == column }?.propertyID
                },
                vectors: index.vectors)
            let known = before?.indexes.first { known in
                made.indexID = known.indexID
                return known == made && known.hasSameKeys(in: fields, as: before?.fields ?? [])
                    && !numbered.contains { $0.indexID == known.indexID }
            }
            if known == nil {
                made.indexID = next
                next += 1
            }
            numbered.append(made)
        }
        return numbered
    }

    /// Whether a stored entity name and a declared one mean the same entity.
    private func isSame(
        _ stored: String, _ declared: String, _ declarations: [EntityDeclaration],
        _ entities: [UInt32?]
    ) -> Bool {
        guard let index = declarations.firstIndex(where: { $0.name == declared }),
            let entity = entities[index]
        else { return stored == declared }
        if let known = self.entity(named: stored) { return known.id == entity }
        return hadName(entity, stored)
    }
}

extension Schema {
    private static func checkKind(
        _ declaration: EntityDeclaration, _ before: EntityLayout?, _ hasRows: (UInt32) -> Bool
    ) throws(DaybookError) {
        guard let before, before.kind != declaration.kind else { return }
        // The schema does not record whether an embedded value was ever stored.
        guard before.kind == .embedded || hasRows(before.entityID) else { return }
        throw DaybookError(
            .schemaMismatch,
            "\(declaration.name) is declared as \(declaration.kind.name), but stored as"
                + " \(before.kind.name). Declare it as \(before.kind.name) again, or give the new"
                + " type a new name.",
            details: [
                "entity": declaration.name, "declared": "\(declaration.kind)",
                "stored": "\(before.kind)",
            ])
    }

    private static func nameTaken(_ name: String) -> DaybookError {
        DaybookError(
            .schemaMismatch,
            "The name \(name) still belongs to another stored entity. Rename that entity first, in"
                + " a separate opening.",
            details: ["entity": name])
    }
}

extension EntityKind {
    /// The kind with its article, for messages.
    fileprivate var name: String {
        switch self {
        case .object: "an entity"
        case .embedded: "an embedded type"
        case .event: "an event"
        }
    }
}
