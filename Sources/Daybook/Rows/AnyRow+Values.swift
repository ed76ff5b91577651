import DaybookBytes
import DaybookEngine
import DaybookRecords
public import DaybookRows

extension AnyRow {
    /// Returns a value as a Swift type; nil or the type's zero if the value is null.
    ///
    /// ```swift
    /// let age = try row["age", as: Int.self]
    /// let born = try row["born", as: Date?.self]
    /// ```
    ///
    /// - Throws: `.invalidArgument` for a name that the row does not have, with the nearest one;
    ///   `.invalidValue` for a value that does not fit the type.
    public subscript<Value: PropertyValue>(
        name: String, as type: Value.Type
    ) -> Value {
        get throws {
            guard let value = self[name] else {
                throw DaybookError(
                    .invalidArgument,
                    "The row of \(entityName) has no value '\(name)'."
                        + NearName.question(name, among: names)
                        + " It has: \(names.joined(separator: ", ")).",
                    details: ["entity": entityName, "property": name])
            }
            return try value.read(as: type, of: name)
        }
    }
}

extension RowValue {
    /// Creates the stored value of a Swift value. Throws `.invalidValue` for a value that cannot be
    /// stored, and `.invalidArgument` for embedded values and relations: give their members by
    /// name, or links.
    public init<Value: PropertyValue>(_ value: Value) throws {
        guard Value.propertyType.embeddedTypes.isEmpty, Value.propertyType.target == nil else {
            throw DaybookError(
                .invalidArgument,
                "A \(Value.self) has no value without the schema. Give the members of an embedded"
                    + " value by name, and the targets of a relation as links.",
                details: ["type": "\(Value.self)"])
        }
        var writer = ValueWriter(.none)
        try value.write(to: &writer)
        self =
            writer.isNull
            ? .null
            : try RowValueDecoder(SchemaTable(Schema())).value(
                writer.bytes.span,
                Value.propertyType.shape(isOptional: Value.isOptionalProperty))
    }

    fileprivate func read<Value: PropertyValue>(
        as type: Value.Type, of name: String
    ) throws -> Value {
        guard !isNull else {
            return try Value.read(ValueReader(Span(), isNull: true, types: .none))
        }
        let shape = Value.propertyType.shape(isOptional: Value.isOptionalProperty)
        var bytes = ByteWriter(capacity: 32)
        try RowValueEncoder(SchemaTable(Schema())).append(self, as: shape, of: name, to: &bytes)
        return try Value.read(ValueReader(bytes.span, types: .none))
    }
}
