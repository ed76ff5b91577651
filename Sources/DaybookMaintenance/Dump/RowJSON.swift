package import DaybookBytes
package import DaybookEngine
package import DaybookRecords

extension StoredObject {
    /// Writes the row as a JSON object. Throws `.corruption` if the row does not match its layout.
    package func appendRow(to text: inout JSONText) throws(DaybookError) {
        try text.row(row.bytes, try schemas.rowLayout(row.layout), layouts: schemas.rowLayout)
    }
}

extension HistoryEvent {
    /// Writes the row of a put or event as a JSON object. Throws `.corruption` if the row does not
    /// match its layout.
    package func appendRow(to text: inout JSONText) throws(DaybookError) {
        try text.row(
            held.payload.span.extracting(held.record.row),
            try schemas.rowLayout(held.record.layout), layouts: schemas.rowLayout)
    }
}
