import DaybookBytes
import DaybookEngine
public import DaybookRows

extension RowBox {
    /// Reads the value of a property from a text, in the form of a CSV file: RFC 3339
    /// dates, Base64 bytes, and JSON for lists, maps and embedded values. An empty text is null,
    /// except for strings and bytes.
    ///
    /// Use it for input of users, such as a form. Throws `.invalidArgument` for an unknown
    /// property, and `.invalidValue` for a text that does not fit its type, with the type.
    public func value(of property: String, fromText text: String) throws -> RowValue {
        let form = try form()
        guard let field = form.property(property)?.field else {
            throw DaybookError(
                .invalidArgument, "\(entityName) has no property '\(property)' with values.",
                details: ["entity": entityName, "property": property])
        }
        return try ImportedValue(types.engine.schemas).value(
            text, isQuoted: true, field.shape, of: property)
    }
}
