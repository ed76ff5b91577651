/// A Swift type of a property.
///
/// The conforming types are `Bool`, all integers, `Float`, `Double`, `String`, `Date` (with a
/// precision of milliseconds), `Data`, `[UInt8]`, `UUID`, `Decimal`, `URL`, ``EntityId``, and
/// ``Embedded`` types; arrays, sets and string-keyed dictionaries of these; and the optional of
/// each. An enum with raw values may declare the conformance, and needs no members for it. An enum
/// needs no conformance if it is only read with ``RowReader/read(_:as:)`` and written with
/// ``RowWriter/write(_:at:)``.
public protocol PropertyValue {
    /// The type of the stored values.
    static var propertyType: PropertyType { get }
    /// Whether the value can be nil.
    static var isOptionalProperty: Bool { get }
    /// Whether another version of the program may have stored values that this one reads as
    /// something else, such as a new case of an enum. A put of an unchanged object keeps them.
    static var mayHoldUnknownValues: Bool { get }

    /// Reads a value; nil or the type's zero if there is no value.
    static func read(_ value: borrowing ValueReader) throws -> Self
    /// Reads a value that is not null. Returns nil if this version of the program does not know it.
    static func readIfKnown(_ value: borrowing ValueReader) throws -> Self?
    /// Writes a value.
    func write(to value: inout ValueWriter) throws

    /// Reads the property at `index` of the entity's description; nil or the type's zero if the row
    /// has no value for it. Throws as ``RowReader/read(_:as:)``.
    static func read(_ index: Int, of row: borrowing RowReader) throws -> Self
    /// Reads the property at `index`, whose value is not null. Returns nil if this version of the
    /// program does not know it.
    static func readIfKnown(_ index: Int, of row: borrowing RowReader) throws -> Self?
    /// Writes the property at `index` of the entity's description.
    func write(to row: inout RowWriter, at index: Int) throws
}

extension PropertyValue {
    /// False, because nil is not a value of the type.
    public static var isOptionalProperty: Bool { false }
    /// False, because every stored value is a value of the type.
    @inlinable
    public static var mayHoldUnknownValues: Bool { false }

    /// Reads the value. Every value is known.
    @inlinable
    public static func readIfKnown(_ value: borrowing ValueReader) throws -> Self? {
        try read(value)
    }

    /// Reads the property. Every value is known.
    @inlinable
    public static func readIfKnown(
        _ index: Int, of row: borrowing RowReader
    ) throws -> Self? {
        try read(index, of: row)
    }

    /// Reads the field's bytes as a value.
    @inlinable
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Self {
        try read(try row.value(index, as: propertyType))
    }

    /// Writes the value's bytes into the field.
    @inlinable
    public func write(to row: inout RowWriter, at index: Int) throws {
        try row.writeValue(self, at: index)
    }
}

extension Optional: PropertyValue where Wrapped: PropertyValue {
    public static var propertyType: PropertyType { Wrapped.propertyType }
    public static var isOptionalProperty: Bool { true }
    @inlinable
    public static var mayHoldUnknownValues: Bool { Wrapped.mayHoldUnknownValues }

    @inlinable
    public static func read(_ value: borrowing ValueReader) throws -> Wrapped? {
        value.isNull ? nil : try Wrapped.readIfKnown(value)
    }

    @inlinable
    public func write(to value: inout ValueWriter) throws {
        guard let self else { return value.writeNull() }
        try self.write(to: &value)
    }

    @inlinable
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Wrapped? {
        guard try row.hasValue(index, as: Wrapped.propertyType) else { return nil }
        return try Wrapped.readIfKnown(index, of: row)
    }

    @inlinable
    public func write(to row: inout RowWriter, at index: Int) throws {
        guard let self else { return try row.writeNull(at: index) }
        try self.write(to: &row, at: index)
    }
}
