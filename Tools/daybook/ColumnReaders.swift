import DaybookBytes
import DaybookEngine
import DaybookQuery

/// Reads the values that are shown of each object.
struct ColumnReaders {
    /// Reads one of them.
    final class Reader {
        let column: TextQuery.Column
        private let reader: ExpressionReader
        private let schemas: SchemaTable

        init(_ column: TextQuery.Column, _ bound: BoundExpression, _ access: QueryAccess) {
            self.column = column
            reader = ExpressionReader(bound, access)
            schemas = access.schemas
        }

        func append(_ row: StoredRow, to text: inout JSONText) throws(DaybookError) {
            let value = try reader.value(in: row.bytes, layout: row.layout, id: row.id)
            try text.value(value, of: column.type, layouts: schemas.rowLayout)
        }

        /// The value for people: nothing for none, and texts without quotation marks.
        func text(_ row: StoredRow) throws(DaybookError) -> String {
            let value = try reader.value(in: row.bytes, layout: row.layout, id: row.id)
            switch value {
            case .null: return ""
            case .text(let text): return text
            default: break
            }
            var text = JSONText()
            try text.value(value, of: column.type, layouts: schemas.rowLayout)
            let written = text.text
            guard written.hasPrefix("\""), written.utf8.count >= 2 else { return written }
            // Dates, decimals and identifiers: nothing in them is escaped.
            return String(written.dropFirst().dropLast())
        }
    }

    let all: [Reader]

    init(
        _ columns: [TextQuery.Column], _ entity: UInt32, _ model: QueryModel, _ access: QueryAccess
    ) throws {
        let resolver = ConditionResolver(model)
        all = try columns.map { column in
            Reader(column, try resolver.resolve(column.expression, of: entity), access)
        }
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

extension TextQuery.Column {
    /// Whether its values are numbers, which stand at the right.
    var isNumber: Bool {
        switch type {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double,
            .decimal:
            true
        default: false
        }
    }
}
