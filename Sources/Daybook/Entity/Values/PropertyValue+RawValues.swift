import DaybookBytes

/// The complete conformance of an enum: `enum Status: Int, PropertyValue`.
extension PropertyValue where Self: RawRepresentable, RawValue: PropertyValue & Equatable {
    /// The type of the raw value.
    public static var propertyType: PropertyType { RawValue.propertyType }
    /// True, because a later version may have more cases.
    @inlinable
    public static var mayHoldUnknownValues: Bool { true }

    /// Returns the case of the raw value. If this version does not know the raw value, returns the
    /// case of raw value zero, or else the first case of a `CaseIterable` type. Throws
    /// `.invalidValue` if there is neither.
    public static func read(_ value: borrowing ValueReader) throws -> Self {
        try RawValues.value(of: try RawValue.read(value), as: Self.self)
    }
    /// Returns the case of the raw value; nil if this version does not know it.
    public static func readIfKnown(_ value: borrowing ValueReader) throws -> Self? {
        Self(rawValue: try RawValue.read(value))
    }
    /// Writes the raw value.
    public func write(to value: inout ValueWriter) throws { try rawValue.write(to: &value) }
    /// Returns the case of the raw value of a property. Unknown raw values as in the overload for a
    /// single value.
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Self {
        try RawValues.value(of: try RawValue.read(index, of: row), as: Self.self)
    }
    /// Returns the case of the raw value; nil if this version does not know it.
    public static func readIfKnown(_ index: Int, of row: borrowing RowReader) throws -> Self? {
        Self(rawValue: try RawValue.read(index, of: row))
    }
    /// Writes the raw value.
    public func write(to row: inout RowWriter, at index: Int) throws {
        try rawValue.write(to: &row, at: index)
    }
}

/// Wraps a type with raw values that does not conform to `PropertyValue`.
struct RawStored<Value: RawRepresentable>: PropertyValue
where Value.RawValue: PropertyValue & Equatable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static var propertyType: PropertyType { Value.RawValue.propertyType }
    static var mayHoldUnknownValues: Bool { true }

    static func read(_ value: borrowing ValueReader) throws -> RawStored {
        RawStored(try RawValues.value(of: try Value.RawValue.read(value), as: Value.self))
    }
    static func readIfKnown(_ value: borrowing ValueReader) throws -> RawStored? {
        Value(rawValue: try Value.RawValue.read(value)).map { RawStored($0) }
    }
    func write(to value: inout ValueWriter) throws { try self.value.rawValue.write(to: &value) }
    static func read(_ index: Int, of row: borrowing RowReader) throws -> RawStored {
        RawStored(try RawValues.value(of: try Value.RawValue.read(index, of: row), as: Value.self))
    }
    static func readIfKnown(_ index: Int, of row: borrowing RowReader) throws -> RawStored? {
        Value(rawValue: try Value.RawValue.read(index, of: row)).map { RawStored($0) }
    }
    func write(to row: inout RowWriter, at index: Int) throws {
        try value.rawValue.write(to: &row, at: index)
    }
}

/// Replacements for raw values that this version does not know.
enum RawValues {
    /// Returns the case of a raw value, or the replacement for an unknown raw value. Throws
    /// `.invalidValue` if there is none.
    static func value<Value: RawRepresentable>(
        of raw: Value.RawValue, as type: Value.Type
    ) throws(DaybookError) -> Value where Value.RawValue: PropertyValue {
        if let value = Value(rawValue: raw) ?? fallback(type) { return value }
        throw DaybookError(
            .invalidValue,
            "\(type) has no case with raw value \(raw), and no fallback case. Make the property"
                + " optional, or give it a default.",
            details: ["type": "\(type)", "value": "\(raw)"])
    }

    /// Returns the case of raw value zero, or else the first case.
    private static func fallback<Value: RawRepresentable>(
        _ type: Value.Type
    ) -> Value? where Value.RawValue: PropertyValue {
        let nothing = try? Value.RawValue.read(
            ValueReader(Span(), isNull: true, types: .none))
        if let nothing, let zero = Value(rawValue: nothing) { return zero }
        return (type as? any CaseIterable.Type)?.firstCase as? Value
    }
}

extension CaseIterable {
    fileprivate static var firstCase: Any? { allCases.first }
}
