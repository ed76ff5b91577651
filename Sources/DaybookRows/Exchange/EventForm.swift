package import DaybookBytes
package import DaybookEngine
import DaybookQuery
package import DaybookRecords

/// Writes the events of a type as JSON objects with the names of their properties, and reads them.
/// For one operation, as ``RowForm``.
package struct EventForm {
    private let form: RowForm
    private let values: ImportedValue
    private let encoder: RowValueEncoder

    /// The number of the entity.
    package var entity: UInt32 { form.entity }
    /// The number of the newest layout, which ``row(of:)`` uses.
    package var layoutID: UInt32 { form.layout.layout.layoutID }

    /// Throws `.invalidArgument` if the store has no events of that name, now or once.
    package init(_ name: String, _ schemas: SchemaTable) throws(DaybookError) {
        form = try RowForm(events: name, schemas)
        values = ImportedValue(schemas)
        encoder = RowValueEncoder(schemas)
    }

    /// Writes an event of any layout as a JSON object, without members for null. Throws
    /// `.corruption` for damaged bytes.
    package func write(
        _ row: Span<UInt8>, layout: UInt32, to text: inout JSONText
    ) throws(DaybookError) {
        let bytes = try form.bytes(row, layout: layout)
        let values = try form.decoder.values(bytes.span, form.layout)
        text.beginObject()
        // A property is also null in events that are older than the property.
        for (field, value) in zip(form.layout.layout.fields, values) where !value.isNull {
            text.name(field.name)
            JSONValue.write(value, field.shape, to: &text)
        }
        text.endObject()
    }

    /// Encodes the event of a JSON object in the newest layout. Former names of properties are
    /// accepted, if no other property has the name. A property without a member is null, or zero if
    /// it is not optional. Throws `.invalidArgument` for a member that is no property, and
    /// `.invalidValue` for a value that does not fit.
    package func row(of members: [String: RowValue]) throws(DaybookError) -> [UInt8] {
        var converted: [String: RowValue] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let property = form.property(name) ?? form.property(onceNamed: name) else {
                throw DaybookError(
                    .invalidArgument,
                    "\(form.entityName) has no property '\(name)'."
                        + NearName.question(name, among: form.names)
                        + " It has: \(form.names.joined(separator: ", ")).",
                    details: ["entity": form.entityName, "property": name])
            }
            let field = property.field
            converted[field.name] = try values.value(value, field.shape, of: name)
        }
        return try encoder.row(converted, form.layout)
    }
}
