import DaybookBytes
import DaybookQuery
import DaybookRecords

/// Sets members of embedded values in their stored form.
struct EmbeddedUpdate {
    let types: StoreTypes

    /// Returns a stored embedded value with another value of a member, at any depth; nil for nil,
    /// and for a member of an embedded value that is nil.
    ///
    /// - Parameters:
    ///   - bytes: the embedded value; nil for nil.
    ///   - property: the property with the embedded value.
    ///   - path: the path of the member from there, at least one property.
    func set(
        _ bytes: [UInt8]?, of property: QueryProperty, at path: ArraySlice<QueryProperty>,
        to value: QueryValue
    ) throws -> [UInt8]? {
        guard let member = path.first, let number = property.embeddedEntity,
            let binding = types.binding(ofEntity: number)
        else { return bytes }
        let layout = binding.layout
        guard bytes != nil || !property.shape.isOptional else { return nil }
        let row = try row(in: bytes, binding)
        guard let field = layout.field(of: member) else { return bytes }
        var encoder = RowEncoder(layout)
        if path.count == 1 {
            try encoder.set(value, at: field, of: layout)
        } else {
            let inner = try layout.value(at: field, in: row)
            let changed = try set(inner, of: member, at: path.dropFirst(), to: value)
            guard let changed else { return bytes }
            try encoder.set(stored: changed, at: field)
        }
        encoder.finish()
        let change = encoder.row.array
        let merged = try layout.merging(row.span, change.span) { $0 == field }
        var writer = ByteWriter(capacity: merged.count + 4)
        EmbeddedValue.write(merged.span, layout: binding.layoutID, to: &writer)
        return writer.bytes
    }

    /// The row of an embedded value in the layout of the program. Without a value, because the
    /// object is older than the property, all members are missing.
    private func row(
        in bytes: [UInt8]?, _ binding: EntityBinding
    ) throws(DaybookError) -> [UInt8] {
        guard let bytes else {
            var nothing = RowEncoder(binding.layout)
            nothing.finish()
            return nothing.row.array
        }
        let embedded = try EmbeddedValue(bytes.span)
        return try binding.current(
            bytes.span.extracting(embedded.row), layout: embedded.layout)
    }
}

extension RowLayout {
    /// The index of the field with a property; nil if the layout does not have it.
    func field(of property: QueryProperty) -> Int? {
        layout.fields.firstIndex { $0.propertyID == property.propertyID }
    }

    /// The stored value of a field of a row with this layout; nil for null.
    func value(at field: Int, in row: [UInt8]) throws(DaybookError) -> [UInt8]? {
        let view = try RowView(row.span, self)
        if view.isNull(field) { return nil }
        let bytes = try view.bytes(field)
        return bytes.array
    }
}

extension RowEncoder {
    /// Sets a field to a stored value; nil for null. Throws `.invalidValue` for nil if the field is
    /// not optional.
    mutating func set(stored bytes: [UInt8]?, at field: Int) throws(DaybookError) {
        guard let bytes else { return try setNull(field) }
        try set(value: bytes.span, at: field)
    }

    /// Sets a field to a value of a query. Throws `.invalidValue` for nil if the field is not
    /// optional, and `.overflow` for a number that does not fit.
    mutating func set(
        _ value: QueryValue, at field: Int, of layout: borrowing RowLayout
    ) throws {
        if value == .null { return try setNull(field) }
        try set(stored: try value.bytes(as: layout.layout.fields[field].type), at: field)
    }
}
