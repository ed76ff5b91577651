#if Macros
internal import SwiftSyntax

extension EntityModelReader {
    /// The annotations of the whole entity, in the written order.
    func entityAttributes(
        _ members: DeclaredMembers, kept: [StoredVariable], identity: StoredVariable?
    ) -> [EntityModel.Attribute] {
        func stored(_ names: [String]) -> [String] {
            names.map { name in kept.first { $0.name == name }?.storedName ?? name }
        }
        var attributes: [EntityModel.Attribute] = []
        if identity?.annotations.isAssignable == true { attributes.append(.assignableIds) }
        if kind == .entity {
            if !annotations.primaryKey.isEmpty {
                attributes.append(.primaryKey(stored(annotations.primaryKey)))
            }
            attributes += annotations.indexes.map { .index(stored($0.names), kind: $0.kind) }
            attributes += annotations.uniques.map {
                .unique(stored($0.names), onConflict: $0.onConflict)
            }
        }
        if kind == .entity, let expiry = annotations.expiries.first {
            attributes.append(.expires(stored([expiry.name])[0], after: expiry.after))
        }
        if !annotations.formerNames.isEmpty { attributes.append(.renamed(annotations.formerNames)) }
        if let uid = annotations.uid { attributes.append(.uid(uid)) }
        if members.mapsProperties { attributes.append(.mapped) }
        return attributes
    }

    /// The model of one stored property.
    func property(_ variable: StoredVariable) -> EntityModel.Property {
        var property = EntityModel.Property(
            name: variable.name, spelling: variable.identifier.text, type: variable.typeText)
        property.hasPlainType = variable.shownType?.isPlain == true
        property.storedName = variable.storedName
        property.conversion = variable.annotations.conversion
        property.mayBeLink = mayBeLink(variable)
        property.destination = variable.destination
        property.isConstant = variable.isMutableConstant
        if property.conversion == .encoded,
            variable.initialValue?.is(NilLiteralExprSyntax.self) == false
        {
            property.initialValue = variable.initialValue?.trimmedDescription
        }
        let said = variable.annotations
        if kind == .entity {
            let isRelation = variable.shownType?.isRelation == true
            if let index = said.index, !isRelation {
                property.attributes.append(.index(kind: index))
            }
            if let unique = said.unique { property.attributes.append(.unique(onConflict: unique)) }
            if said.isPrimaryKey { property.attributes.append(.primaryKey) }
            if let vector = said.vector { property.attributes.append(.vector(vector)) }
        }
        if said.isRelation { property.attributes.append(.relation(said.rules)) }
        if !said.formerNames.isEmpty { property.attributes.append(.renamed(said.formerNames)) }
        if let uid = said.uid { property.attributes.append(.uid(uid)) }
        if said.storedName != nil { property.attributes.append(.declared(variable.name)) }
        return property
    }

    /// Whether the property may be a link: an optional type in Realm's style that is not one of
    /// Swift's own. Only the compiler knows whether it is an object.
    func mayBeLink(_ variable: StoredVariable) -> Bool {
        guard realmBase != nil, variable.annotations.isPersisted,
            variable.annotations.conversion == nil, let shown = variable.shownType
        else { return false }
        return shown.isOptional && !shown.isPlain && !shown.isCollection && !shown.isRelation
    }

    /// The model of one backlink; reports and returns nil if the backlink does not name its
    /// relation.
    mutating func backlink(_ variable: StoredVariable) -> EntityModel.Backlink? {
        let said = variable.annotations
        guard let origin = said.backlink else {
            report(.backlinkUnnamed(property: variable.name), at: variable.identifier)
            return nil
        }
        guard let target = said.backlinkTarget ?? variable.shownType?.destination else {
            report(
                .backlinkTargetUnknown(property: variable.name, origin: origin),
                at: variable.identifier)
            return nil
        }
        return EntityModel.Backlink(
            isConstant: variable.isMutableConstant, name: variable.name,
            spelling: variable.identifier.text, target: target,
            origin: origin, rules: said.rules)
    }
}

extension StoredVariable {
    /// The name in the schema.
    var storedName: String { annotations.storedName ?? name }
}
#endif
