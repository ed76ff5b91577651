import DaybookBytes

extension Schema {
    /// The number of the stored entity for each declaration; nil for a new one.
    func matches(
        of declarations: [EntityDeclaration]
    ) throws(DaybookError) -> [UInt32?] {
        for declaration in declarations { try declaration.check() }
        var indexes: [String: Int] = [:]
        for (index, declaration) in declarations.enumerated() {
            if let first = indexes[declaration.name] {
                guard declarations[first] == declaration else {
                    throw DaybookError(
                        .schemaMismatch,
                        "Two declarations have the entity name \(declaration.name). Give one of"
                            + " them another name.",
                        details: ["entity": declaration.name])
                }
            } else {
                indexes[declaration.name] = index
            }
        }
        var entities: [UInt32?] = []
        var owners: [UInt32: String] = [:]
        for declaration in declarations {
            let entity = try match(declaration, declared: indexes)
            entities.append(entity)
            guard let entity else { continue }
            if let owner = owners.updateValue(declaration.name, forKey: entity),
                owner != declaration.name
            {
                throw DaybookError(
                    .schemaMismatch,
                    "\(owner) and \(declaration.name) both refer to the stored entity"
                        + " \(self.entity(entity)?.name ?? ""). Remove the former name or the uid"
                        + " from one of them.",
                    details: ["entity": declaration.name])
            }
        }
        for (index, declaration) in declarations.enumerated() where entities[index] == nil {
            // The entity may have another name in a newer version of the program.
            let older = self.entities.last { entity in
                owners[entity.id, default: declaration.name] == declaration.name
                    && !isAnother(declaration, entity.id)
                    && hadName(entity.id, declaration.name)
            }
            entities[index] = older?.id
            if let older { owners[older.id] = declaration.name }
        }
        return entities
    }

    /// Whether the declaration's `uid` identifies another entity.
    private func isAnother(_ declaration: EntityDeclaration, _ entity: UInt32) -> Bool {
        let stored = currentLayout(ofEntity: entity)?.attributes[SchemaNote.uid]
        guard let stored, let uid = declaration.attributes[SchemaNote.uid] else { return false }
        return stored != uid
    }

    private func match(
        _ declaration: EntityDeclaration, declared: [String: Int]
    ) throws(DaybookError) -> UInt32? {
        for name in declaration.formerNames where declared[name] != nil {
            throw DaybookError(
                .schemaMismatch,
                "\(declaration.name) has the former name \(name), but \(name) is also declared."
                    + " Remove one of them.",
                details: ["entity": declaration.name, "formerName": name])
        }
        let uid = declaration.attributes[SchemaNote.uid]
        if let known = entity(named: declaration.name) {
            if !isAnother(declaration, known.id) { return known.id }
        }
        if let uid {
            let known = entities.last { entity in
                currentLayout(ofEntity: entity.id)?.attributes[SchemaNote.uid] == uid
            }
            if let known { return known.id }
        }
        let former = Set(declaration.formerNames.compactMap { entity(named: $0)?.id })
        guard former.count < 2 else {
            throw DaybookError(
                .schemaMismatch,
                "The former names of \(declaration.name) match several stored entities:"
                    + " \(declaration.formerNames.joined(separator: ", ")). Name one.",
                details: ["entity": declaration.name])
        }
        return former.first
    }
}

/// Matches the fields of a declaration with stored properties.
struct PropertyMatching {
    private let schema: Schema
    private let entity: Schema.Entity?
    private let declaration: EntityDeclaration
    private let layouts: [EntityLayout]
    private let intents: PropertyIntents
    /// Whether a stored entity name and a declared one mean the same entity.
    private let isSameEntity: (_ stored: String, _ declared: String) -> Bool
    /// The newest stored form of each declared field's property.
    private var found: [Field?]
    /// The declared field that each number belongs to.
    private var owners: [UInt32: Int] = [:]

    init(
        _ schema: Schema, _ entity: UInt32?, _ declaration: EntityDeclaration,
        intents: PropertyIntents, isSameEntity: @escaping (String, String) -> Bool
    ) {
        self.schema = schema
        self.entity = entity.flatMap { schema.entity($0) }
        self.declaration = declaration
        layouts = entity.map { schema.layouts(ofEntity: $0) } ?? []
        self.intents = intents
        self.isSameEntity = isSameEntity
        found = [Field?](repeating: nil, count: declaration.fields.count)
    }

    /// The fields of the new layout; undeclared ones are at the end.
    consuming func fields() throws(DaybookError) -> (fields: [Field], retyped: [Retyping]) {
        if entity != nil {
            matchNames()
            try matchNumbersForLife()
            try matchFormerNames()
            matchOlderLayouts()
        }
        var next = entity?.nextPropertyID ?? 1
        var fields: [Field] = []
        var retyped: [Retyping] = []
        for (index, declared) in declaration.fields.enumerated() {
            guard let stored = found[index] else {
                fields.append(Field(declared, propertyID: next))
                next += 1
                continue
            }
            if !isConvertible(stored.shape, declared.shape) {
                let retyping = Retyping(
                    entity: declaration.name, property: declared.name, stored: stored.shape,
                    declared: declared.shape, propertyID: stored.propertyID,
                    kind: declaration.kind)
                // Migrations cannot convert links.
                guard !stored.type.isRelation, !declared.type.isRelation else {
                    throw retyping.relationMismatch()
                }
                retyped.append(retyping)
                // With its old number, the property would show values of another entity.
                if stored.shape.conversion(to: declared.shape) != nil {
                    owners[stored.propertyID] = nil
                    fields.append(Field(declared, propertyID: next))
                    next += 1
                    continue
                }
            }
            var field = Field(declared, propertyID: stored.propertyID)
            field.relation = stored.relation
            fields.append(field)
        }
        fields += undeclared(besides: fields)
        return (fields, retyped)
    }

    /// The fields of the newest layout that the declaration lacks.
    private func undeclared(besides fields: [Field]) -> [Field] {
        guard declaration.kind == .object, let newest = layouts.first else { return [] }
        let numbers = Set(fields.map(\.propertyID))
        let names = Set(fields.map(\.name))
        let kept = newest.fields.filter { field in
            !numbers.contains(field.propertyID) && !names.contains(field.name)
                && !intents.forgotten.contains(field.name)
        }
        return kept.prefix(RecordFormat.fieldCountMax - fields.count).map(\.undeclared)
    }

    private mutating func matchNames() {
        for (index, declared) in declaration.fields.enumerated() {
            let stored = layouts.first?.fields.first { $0.name == declared.name }
            guard let stored, !stored.isUndeclared, !stored.isAnother(declared) else { continue }
            found[index] = stored
            owners[stored.propertyID] = index
        }
    }

    private mutating func matchNumbersForLife() throws(DaybookError) {
        for (index, declared) in declaration.fields.enumerated() where found[index] == nil {
            guard let uid = declared.attributes[SchemaNote.uid] else { continue }
            for layout in layouts {
                guard let stored = layout.fields.first(where: { $0.uid == uid }) else { continue }
                try claim(last(stored.propertyID) ?? stored, for: index)
                break
            }
        }
    }

    private mutating func matchFormerNames() throws(DaybookError) {
        for (index, declared) in declaration.fields.enumerated() where found[index] == nil {
            let stored = (layouts.first?.fields ?? []).filter { field in
                declared.formerNames.contains(field.name) && !field.isAnother(declared)
            }
            guard stored.count < 2 else {
                throw DaybookError(
                    .schemaMismatch,
                    "The former names of the property \(declared.name) of \(declaration.name)"
                        + " match several stored properties:"
                        + " \(stored.map(\.name).joined(separator: ", ")). Name one.",
                    details: ["entity": declaration.name, "property": declared.name])
            }
            if let stored = stored.first { try claim(stored, for: index) }
        }
    }

    /// Matches properties that were absent for a while, or that a newer program renamed.
    private mutating func matchOlderLayouts() {
        for (index, declared) in declaration.fields.enumerated() where found[index] == nil {
            for layout in layouts {
                guard let named = layout.fields.first(where: { $0.name == declared.name }),
                    owners[named.propertyID] == nil,
                    let stored = last(named.propertyID),
                    !stored.isAnother(declared),
                    isConvertible(stored.shape, declared.shape)
                        || intents.converted.contains(declared.name)
                else { continue }
                found[index] = stored
                owners[stored.propertyID] = index
                break
            }
        }
    }

    private mutating func claim(_ stored: Field, for index: Int) throws(DaybookError) {
        if let owner = owners.updateValue(index, forKey: stored.propertyID) {
            let names = [owner, index].map { declaration.fields[$0].name }
            throw DaybookError(
                .schemaMismatch,
                "The properties \(names[0]) and \(names[1]) of \(declaration.name) both refer to"
                    + " the stored property \(stored.name). Remove the former name or the uid from"
                    + " one of them.",
                details: ["entity": declaration.name, "property": names[1]])
        }
        found[index] = stored
    }

    /// The property in the newest layout that contains it.
    private func last(_ propertyID: UInt32) -> Field? {
        for layout in layouts {
            if let field = layout.fields.first(where: { $0.propertyID == propertyID }) {
                return field
            }
        }
        return nil
    }

    private func isConvertible(_ stored: ValueShape, _ declared: ValueShape) -> Bool {
        guard stored.conversion(to: declared) != nil else { return false }
        return isSameInside(stored, declared)
    }

    private func isSameInside(_ stored: ValueShape, _ declared: ValueShape) -> Bool {
        if let element = stored.element, let wanted = declared.element {
            return isSameInside(element, wanted)
        }
        return !stored.type.namesEntity
            || isSameEntity(stored.entityName, declared.entityName)
    }
}

extension Field {
    /// Whether the declaration's `uid` identifies another property.
    fileprivate func isAnother(_ declaration: FieldDeclaration) -> Bool {
        guard let uid, let declared = declaration.attributes[SchemaNote.uid] else { return false }
        return uid != declared
    }
}
