package import DaybookBytes
package import DaybookEngine
import DaybookRecords
import DaybookQuery

/// Writes the result of a text query as CSV or JSON lines.
package struct RowExport {
    /// A column: its name, and its type if it is known.
    private struct Column {
        var name: String
        var shape: ValueShape?
    }

    private let query: TextQuery
    private let format: ExchangeFormat
    private let model: QueryModel
    private let runner: QueryRunner

    /// Throws `.invalidArgument` for an error in the text: see ``TextQuery/parse(_:in:)``.
    package init(
        _ text: String, as format: ExchangeFormat, _ schemas: SchemaTable
    ) throws(DaybookError) {
        self.format = format
        model = QueryModel(schemas.schema)
        query = try TextQuery.parse(text, in: model)
        runner = try QueryRunner(query.definition, of: query.entity, in: model)
    }

    /// Calls `body` with each line: first the names of a CSV text, then each row. Returns the
    /// number of rows. A line of CSV may contain line breaks in quotation marks.
    package func forEachLine(
        _ access: QueryAccess, _ body: (String) throws -> Void
    ) throws -> Int {
        let isOfObjects = query.output == .objects
        let columns = isOfObjects ? try objectColumns(access) : try selectedColumns(access)
        if format == .csv { try body(CSVText.line(columns.map(\.name))) }
        var count = 0
        let shapes = columns.map(\.shape)
        try TextRows(query, runner, model).forEach(access) { row in
            let values = isOfObjects ? columns.map { Self.value($0.name, of: row) } : row.values
            switch format {
            case .csv: try body(CSVText.line(values, shapes))
            case .jsonLines: try body(Self.line(values, columns))
            }
            count += 1
            return true
        }
        return count
    }

    /// The id, unless a property has its name; the properties; and the relations.
    private func objectColumns(_ access: QueryAccess) throws(DaybookError) -> [Column] {
        let form = try RowForm(query.entityName, access.schemas)
        var columns: [Column] = form.names.contains("id") ? [] : [Column(name: "id")]
        for name in form.names {
            columns.append(Column(name: name, shape: form.property(name)?.field.shape))
        }
        for (name, relation) in form.relations {
            columns.append(
                Column(name: name, shape: ValueShape(relation.type, entityName: name)))
        }
        return columns
    }

    private func selectedColumns(_ access: QueryAccess) throws -> [Column] {
        try TextResults(query, model, runner, access).columns.map { column in
            Column(name: column.name, shape: column.type.map { ValueShape($0) })
        }
    }

    private static func value(_ name: String, of row: AnyRow) -> RowValue {
        if let value = row[name] { return value }
        guard let links = row.links[name] else { return .integer(Int128(row.id)) }
        let ids = links.map { RowValue.integer(Int128($0)) }
        guard let keys = row.keys[name] else { return .list(ids) }
        return .map(Dictionary(zip(keys, ids)) { first, _ in first })
    }

    private static func line(_ values: [RowValue], _ columns: [Column]) -> String {
        var text = JSONText()
        text.beginObject()
        for (value, column) in zip(values, columns) {
            text.name(column.name)
            JSONValue.write(value.asTarget(of: column.shape), column.shape, to: &text)
        }
        text.endObject()
        return text.text
    }
}

extension RowValue {
    /// The single target of a to-one relation, or null; otherwise the value.
    fileprivate func asTarget(of shape: ValueShape?) -> RowValue {
        guard shape?.type == .toOne, case .list(let targets) = self else { return self }
        return targets.first ?? .null
    }
}

/// Writes records of a CSV text.
enum CSVText {
    /// The line of a record without its line break.
    static func line(_ values: [RowValue], _ shapes: [ValueShape?]) -> String {
        var fields: [String] = []
        for (value, shape) in zip(values, shapes) {
            fields.append(field(value.asTarget(of: shape), shape))
        }
        return fields.joined(separator: ",")
    }

    /// The line of the names of the columns.
    static func line(_ names: [String]) -> String { names.map(quoted).joined(separator: ",") }

    private static func field(_ value: RowValue, _ shape: ValueShape?) -> String {
        switch value {
        case .null: return ""
        case .list, .map:
            // An empty relation is an empty field, as null is.
            if shape?.type.isRelation == true, value == .list([]) || value == .map([:]) {
                return ""
            }
            return quoted(value.text(of: shape))
        default:
            // An empty field would be null.
            let text = value.text(of: shape)
            return text.isEmpty ? "\"\"" : quoted(text)
        }
    }

    /// The text in quotation marks, if it needs them.
    private static func quoted(_ text: String) -> String {
        let needsQuotes = text.utf8.contains { byte in
            [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D].contains(byte)
        }
        guard needsQuotes else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            quoted.unicodeScalars.append(scalar)
            if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "\""
    }
}
