import DaybookRecords

/// The columns of whole objects in a table.
package enum ObjectColumns {
    /// Returns the id, then the properties in declaration order, then the target ids of to-one
    /// relations, sorted by name.
    package static func of(_ entity: UInt32, in model: QueryModel) -> [TextQuery.Column] {
        var properties: [(UInt32, TextQuery.Column)] = []
        var relations: [TextQuery.Column] = []
        for (name, member) in model.entities[entity]?.members ?? [:] {
            switch member {
            case .property(let property):
                let column = TextQuery.Column(
                    name: name, expression: .property(PropertyPath([name])),
                    type: property.shape.type)
                properties.append((property.propertyID, column))
            case .relation(let relation) where relation.isToOne && !relation.isBackward:
                relations.append(
                    TextQuery.Column(
                        name: name, expression: .property(PropertyPath([name, PropertyPath.id])),
                        type: .uint64))
            case .relation, .id: break
            }
        }
        let id = TextQuery.Column(name: "id", expression: .property(.ownId), type: .uint64)
        return [id] + properties.sorted { $0.0 < $1.0 }.map(\.1)
            + relations.sorted { $0.name < $1.name }
    }
}
