import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookQuery

/// A value that is shown in each line of a result.
struct ResultColumn {
    var name: String
    /// Of what was worked out there may be none.
    var type: TextQuery.ValueType?

    /// Whether its values are numbers, which stand at the right.
    var isNumber: Bool {
        switch type {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double,
            .decimal:
            true
        default: false
        }
    }

    /// The value for people: nothing for none, and texts without quotation marks.
    func text(
        _ value: QueryValue, _ schemas: SchemaTable
    ) throws(DaybookError) -> String {
        switch value {
        case .null: return ""
        case .text(let text): return text
        default: break
        }
        var text = JSONText()
        try text.value(value, of: type, layouts: schemas.rowLayout)
        let written = text.text
        guard written.hasPrefix("\""), written.utf8.count >= 2 else { return written }
        // Dates, decimals and identifiers: nothing in them is escaped.
        return String(written.dropFirst().dropLast())
    }
}

/// The columns of a table of whole objects.
enum ObjectColumns {
    /// The id, the properties in the order in which they were declared, and the ids that relations
    /// to one lead to.
    static func of(_ entity: UInt32, in model: QueryModel) -> [TextQuery.Column] {
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
