import DaybookBytes
import DaybookEngine
import DaybookRecords

/// The types that a store is opened with, and their declarations. Includes embedded types and the
/// types at the other ends of relations.
struct DeclaredTypes {
    private(set) var types: [any Storable.Type] = []
    private(set) var descriptions: [EntityDescription] = []
    private var places: [ObjectIdentifier: Int] = [:]

    /// Checks each type separately, and that relations and backlinks match. Rejects two types with
    /// the same name, because each would change the other's schema.
    init(_ entities: [any Storable.Type]) throws(DaybookError) {
        var owners: [String: any Storable.Type] = [:]
        var rest = entities[...]
        while let type = rest.popFirst() {
            guard places[ObjectIdentifier(type)] == nil else { continue }
            let description = type.entityDescription
            if let owner = owners.updateValue(type, forKey: description.name) {
                throw DaybookError(
                    .schemaMismatch,
                    "\(owner) and \(type) both have the entity name '\(description.name)'. Give"
                        + " one of them another name.",
                    details: ["entity": description.name])
            }
            try Self.requireRoom(for: description, type)
            try description.declaration(kind: EntityKind(of: type)).check()
            _ = try description.checkedExpiry(isEntity: type is any Entity.Type)
            places[ObjectIdentifier(type)] = types.count
            types.append(type)
            descriptions.append(description)
            rest += description.properties.flatMap(\.type.embeddedTypes)
            rest += description.properties.compactMap(\.type.target)
            rest += description.backlinks.map(\.source)
        }
    }

    /// Throws `.schemaMismatch` for a relation inside another type, such as an optional, for a
    /// backlink in a type that is not an entity, and for the delete rules of an event.
    private static func requireRoom(
        for description: EntityDescription, _ type: any Storable.Type
    ) throws(DaybookError) {
        if let backlink = description.backlinks.first, !(type is any Entity.Type) {
            throw DaybookError(
                .schemaMismatch,
                "\(description.name) has the backlink \(backlink.name) but is not an entity, so it"
                    + " cannot be the target of a relation. Remove the backlink.",
                details: ["entity": description.name, "property": backlink.name])
        }
        if type is any Event.Type, let ruled = description.properties.first(where: \.hasRules) {
            throw DaybookError(
                .schemaMismatch,
                "The relation \(ruled.name) of \(description.name) has delete rules, but an event"
                    + " keeps the ids of its objects. Remove the rules.",
                details: ["entity": description.name, "property": ruled.name])
        }
        guard let property = description.properties.first(where: \.isWrappedRelation) else {
            return
        }
        throw DaybookError(
            .schemaMismatch,
            "The property \(property.name) of \(description.name) contains a relation inside"
                + " another type. Declare the relation itself, because an empty relation is nil"
                + " already.",
            details: ["entity": description.name, "property": property.name])
    }

    /// Returns the declarations for the store. The rules of each backlink are merged into the
    /// relation that it reads. Throws `.schemaMismatch` if a backlink does not read a relation to
    /// its type.
    func declarations() throws(DaybookError) -> [EntityDeclaration] {
        var declarations: [EntityDeclaration] = []
        for (type, description) in zip(types, descriptions) {
            declarations.append(description.declaration(kind: EntityKind(of: type)))
        }
        for (index, description) in descriptions.enumerated() {
            for backlink in description.backlinks {
                let (declaration, field) = try source(of: backlink, index)
                var rules = declarations[declaration].fields[field].rules
                if backlink.onDelete != .nullify {
                    let rule = backlink.onDelete
                    guard rules.onTargetRemoved == .nullify || rules.onTargetRemoved == rule else {
                        throw mismatch(
                            backlink, index,
                            "has another delete rule than its relation '\(backlink.property)'."
                                + " State the rule on one side")
                    }
                    rules.onTargetRemoved = rule
                }
                if backlink.removesOrphans { rules.removesOrphanSources = true }
                declarations[declaration].fields[field].rules = rules
            }
        }
        return declarations
    }

    /// Returns the relations and backlinks of a type, with their numbers in the store's layouts.
    func relations(
        of index: Int, _ layouts: [EntityLayout], _ engine: Engine, followed: [EntityDeclaration]?
    ) throws(DaybookError) -> [RelationPlace: BoundRelation] {
        var relations: [RelationPlace: BoundRelation] = [:]
        let name = descriptions[index].name
        for (field, property) in descriptions[index].properties.enumerated() {
            guard let target = property.type.target else { continue }
            relations[.field(field)] = BoundRelation(
                property.name, of: name, isBackward: false, to: target, index, field: field,
                origin: property.declaredName, layouts[index], engine, followed: followed)
        }
        for (number, backlink) in descriptions[index].backlinks.enumerated() {
            let (declaration, field) = try source(of: backlink, index)
            relations[.backlink(number)] = BoundRelation(
                backlink.name, of: name, isBackward: true, to: backlink.source, declaration,
                field: field, origin: backlink.property, layouts[declaration], engine,
                followed: followed)
        }
        return relations
    }

    /// Returns the property that a backlink reads: the index of its type, and its index in that
    /// type.
    private func source(
        of backlink: DeclaredBacklink, _ index: Int
    ) throws(DaybookError) -> (declaration: Int, field: Int) {
        guard let declaration = places[ObjectIdentifier(backlink.source)] else {
            throw mismatch(backlink, index, "is of a type that is not known")
        }
        let properties = descriptions[declaration].properties
        let named = properties.firstIndex { $0.declaredName == backlink.property }
        guard let field = named ?? properties.firstIndex(where: { $0.name == backlink.property })
        else {
            throw mismatch(
                backlink, index,
                "names '\(backlink.property)', which \(backlink.source) does not have. Name the"
                    + " relation there whose target is this entity")
        }
        guard let target = properties[field].type.target, target == types[index] else {
            throw mismatch(
                backlink, index,
                "names '\(backlink.property)' of \(backlink.source), which is not a relation to"
                    + " \(types[index]). Name the relation there whose target is this entity")
        }
        return (declaration, field)
    }

    private func mismatch(
        _ backlink: DeclaredBacklink, _ index: Int, _ what: String
    ) -> DaybookError {
        DaybookError(
            .schemaMismatch,
            "The backlink \(backlink.name) of \(descriptions[index].name) \(what).",
            details: ["entity": descriptions[index].name, "property": backlink.name])
    }
}
