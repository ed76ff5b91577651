/// A new property or entity that may be a stored one under another name, whose declaration
/// mentions no former name.
package struct PossibleRename: Sendable, Equatable {
    /// The declared name of the entity.
    package var entity: String
    /// The name of the new property; nil if the entity itself is new.
    package var property: String?
    /// The stored property, or the stored entity, that is no longer declared.
    package var formerName: String

    package init(entity: String, property: String? = nil, formerName: String) {
        self.entity = entity
        self.property = property
        self.formerName = formerName
    }
}

extension Schema {
    /// Returns the renames that the declarations may have forgotten to mention: for each new
    /// property, the properties of the same type that the same opening stops declaring; for each
    /// new entity, the undeclared entities with the same properties. A property whose values a
    /// migration drops or converts is not a candidate, and neither is an entity without objects.
    ///
    /// - Parameters:
    ///   - layouts: the layouts of the declarations, before they are added to the schema.
    ///   - migrated: whether a migration names the property, or deletes the entity if nil.
    package func possibleRenames(
        to layouts: [EntityLayout], hasRows: (UInt32) -> Bool,
        isMigrated: (_ entity: String, _ property: String?) -> Bool
    ) -> [PossibleRename] {
        let declared = Set(layouts.map(\.entityID))
        return layouts.flatMap { layout -> [PossibleRename] in
            guard let before = currentLayout(ofEntity: layout.entityID) else {
                return entities.filter { entity in
                    !declared.contains(entity.id) && hasRows(entity.id)
                        && !isMigrated(entity.name, nil)
                        && currentLayout(ofEntity: entity.id)?.declaresSame(as: layout) == true
                }.map { PossibleRename(entity: layout.entityName, formerName: $0.name) }
            }
            guard hasRows(layout.entityID) else { return [] }
            return layout.addedFields(since: before).flatMap { added in
                layout.lostFields(since: before).filter { lost in
                    lost.hasSameType(as: added) && !isMigrated(layout.entityName, added.name)
                        && !isMigrated(layout.entityName, lost.name)
                }.map {
                    PossibleRename(
                        entity: layout.entityName, property: added.name, formerName: $0.name)
                }
            }
        }
    }
}

extension EntityLayout {
    fileprivate func addedFields(since before: EntityLayout) -> [Field] {
        let known = Set(before.fields.map(\.propertyID))
        return fields.filter { !$0.isUndeclared && !known.contains($0.propertyID) }
    }

    fileprivate func lostFields(since before: EntityLayout) -> [Field] {
        let declared = Set(before.fields.filter { !$0.isUndeclared }.map(\.propertyID))
        return fields.filter { $0.isUndeclared && declared.contains($0.propertyID) }
    }

    /// Whether both layouts declare properties of the same names and types, at least one.
    fileprivate func declaresSame(as other: EntityLayout) -> Bool {
        func declared(_ layout: EntityLayout) -> [String: Field] {
            Dictionary(
                layout.fields.filter { !$0.isUndeclared }.map { ($0.name, $0) },
                uniquingKeysWith: { first, _ in first })
        }
        let (own, others) = (declared(self), declared(other))
        return kind == other.kind && !own.isEmpty && own.count == others.count
            && own.allSatisfy { name, field in others[name]?.hasSameType(as: field) == true }
    }
}

extension Field {
    /// Whether the types are equal apart from being optional.
    fileprivate func hasSameType(as other: Field) -> Bool {
        var (own, others) = (shape, other.shape)
        own.isOptional = false
        others.isOptional = false
        return own == others
    }
}
