import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookQuery

/// A column of a result.
struct ResultColumn {
    var name: String
    /// The type of the values; nil if a computed value has no stored type.
    var type: TextQuery.ValueType?

    /// Whether the values are numbers, which tables align to the right.
    var isNumber: Bool {
        switch type {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double,
            .decimal:
            true
        default: false
        }
    }

    /// Returns a value as a table cell: empty for null, and strings without quotation marks.
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
        // Dates, decimals and identifiers contain no escaped characters.
        return String(written.dropFirst().dropLast())
    }
}

/// The columns of a table of whole objects.
enum ObjectColumns {
    /// Returns the id, then the properties in declaration order, then the target ids of to-one
    /// relations, sorted by name.
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
