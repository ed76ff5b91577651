import DaybookBytes

extension Schema {
    /// A relation, as in the newest layout that contains it.
    package struct Relation: Sendable, Hashable {
        package let relationID: UInt32
        /// The entity of the sources.
        package let entityID: UInt32
        package let targetEntityID: UInt32
        /// The number and name of the property.
        package let propertyID: UInt32
        package let name: String
        /// ``FieldType/toOne``, ``FieldType/toMany`` or ``FieldType/objects``.
        package let type: FieldType

        /// Nil for a property that is not a relation.
        init?(_ field: Field, of layout: EntityLayout) {
            guard let relation = field.relation else { return nil }
            relationID = relation.relationID
            entityID = layout.entityID
            targetEntityID = relation.targetEntityID
            propertyID = field.propertyID
            name = field.name
            type = field.type
        }
    }

    /// The relation with that number.
    package func relation(_ id: UInt32) -> Relation? {
        id >= 1 && Int(id) <= relations.count ? relations[Int(id) - 1] : nil
    }

    /// The relations with sources in an entity, including relations that no current layout
    /// contains: their links still exist.
    package func relations(from entity: UInt32) -> [Relation] {
        relations.filter { $0.entityID == entity }
    }

    /// The relations with targets in an entity.
    package func relations(to entity: UInt32) -> [Relation] {
        relations.filter { $0.targetEntityID == entity }
    }

    /// The name of a relation for messages: `Order.customer`.
    package func relationName(_ id: UInt32) -> String {
        guard let relation = relation(id) else { return "relation \(id)" }
        return "\(entity(relation.entityID)?.name ?? "?").\(relation.name)"
    }

    /// The relations after adding a layout, by number. A known number must belong to the same
    /// property with the same target.
    func relations(adding layout: EntityLayout) throws(DaybookError) -> [Relation] {
        var relations = self.relations
        let found = layout.fields.compactMap { Relation($0, of: layout) }
        for relation in found.sorted(by: { $0.relationID < $1.relationID }) {
            let place = Int(relation.relationID) - 1
            guard place <= relations.count else {
                throw layout.contradiction("relation \(relations.count + 1) is missing")
            }
            guard place < relations.count else {
                relations.append(relation)
                continue
            }
            let known = relations[place]
            guard known.entityID == relation.entityID, known.propertyID == relation.propertyID,
                known.targetEntityID == relation.targetEntityID, relation.type.serves(known.type)
            else {
                throw layout.contradiction(
                    "relation \(relation.relationID) was something else")
            }
            relations[place] = relation
        }
        return relations
    }
}

extension FieldType {
    /// Whether links of the other type are valid for a relation of this type.
    func serves(_ other: FieldType) -> Bool {
        self == other || self == .toMany && other == .toOne
    }
}
