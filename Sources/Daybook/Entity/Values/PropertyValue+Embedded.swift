import DaybookBytes
import DaybookRecords

extension Embedded {
    /// An embedded row of this type.
    public static var propertyType: PropertyType { .embedded(Self.self) }

    /// True, because its properties may, and later versions of the type may have more properties.
    @inlinable
    public static var mayHoldUnknownValues: Bool { true }

    /// Decodes a value from the embedded row. If there is no row, all properties are missing.
    public static func read(_ value: borrowing ValueReader) throws -> Self {
        let binding = try value.types.binding(of: Self.self)
        guard !value.isNull else { return try binding.decodeNothing(as: Self.self, value.types) }
        let embedded = try EmbeddedValue(value.bytes)
        return try binding.decode(
            value.bytes.extracting(embedded.row), layout: embedded.layout, id: 0, as: Self.self,
            value.types)
    }

    /// Writes the properties as a row.
    public func write(to value: inout ValueWriter) throws {
        let types = value.types
        let binding = try types.binding(of: Self.self)
        var row = RowWriter(binding.layout, types)
        try encode(into: &row)
        row.encoder.finish()
        EmbeddedValue.write(row.encoder.row, layout: binding.layoutID, to: &value.bytes)
    }
}
