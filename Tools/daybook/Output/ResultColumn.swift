import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookQuery

extension TextResults.Column {
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
