package import DaybookRecords

extension QueryModel {
    /// Creates the model of a store's schema: the properties and relations of the newest layouts,
    /// under their names there.
    ///
    /// An object's id is `id`, unless a property has that name. A relation that no current layout
    /// has keeps its last name, with `#` and its number appended if another relation has that name.
    /// The inverse of a relation is `<-Order.customer`.
    package init(_ schema: Schema) {
        var entities: [Entity] = []
        for entity in schema.entities {
            guard let layout = schema.currentLayout(ofEntity: entity.id) else { continue }
            var members: [String: Member] = layout.kind == .object ? ["id": .id] : [:]
            for relation in schema.relations(to: entity.id) {
                let name = "<-" + schema.relationName(relation.relationID)
                members.add(relation, name, isBackward: true)
            }
            for relation in schema.relations(from: entity.id) {
                members.add(relation, relation.name, isBackward: false)
            }
            for field in layout.fields where !field.type.isRelation {
                members[field.name] = .property(QueryProperty(field, of: layout, in: schema))
            }
            entities.append(
                Entity(
                    name: layout.entityName, entity: entity.id, kind: layout.kind, members: members)
            )
        }
        self.init(entities)
    }
}

extension [String: QueryModel.Member] {
    /// Adds a relation. If several have the same name, the newest must be added last.
    fileprivate mutating func add(
        _ relation: Schema.Relation, _ name: String, isBackward: Bool
    ) {
        if case .relation(let older)? = self[name], let number = older.relationID {
            self["\(name)#\(number)"] = .relation(older)
        }
        self[name] = .relation(
            QueryRelation(
                name: name, relationID: relation.relationID, isBackward: isBackward,
                isToOne: relation.type == .toOne && !isBackward, isList: relation.type.hasPositions,
                target: isBackward ? relation.entityID : relation.targetEntityID))
    }
}

extension QueryProperty {
    /// A property of a layout.
    fileprivate init(_ field: Field, of layout: EntityLayout, in schema: Schema) {
        let embedded = field.type == .embedded ? field.shape.entityName : nil
        // After an entity was renamed, only its own layout has the new name.
        let inner = embedded.flatMap { schema.entity(named: $0) ?? schema.entity(onceNamed: $0) }
        self.init(
            name: field.name, propertyID: field.propertyID, entity: layout.entityID,
            shape: field.shape, embeddedEntity: inner?.id)
    }
}
