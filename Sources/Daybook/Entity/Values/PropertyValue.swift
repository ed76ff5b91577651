/// A Swift type that a property can have.
///
/// Conforming are `Bool`, all integers, `Float`, `Double`, `String`, `Date` (kept to the
/// millisecond), `Data`, `[UInt8]`, `UUID`, `Decimal`, `URL`, ``Embedded`` types; arrays, sets and
/// string-keyed dictionaries of these; and the optional of each. An enum with raw values may state
/// the conformance, whose members are there already; it need not, where only
/// ``RowReader/read(_:as:)`` and ``RowWriter/write(_:at:)`` meet it.
public protocol PropertyValue {
    /// How values are stored.
    static var propertyType: PropertyType { get }
    /// Whether nil is a value.
    static var isOptionalProperty: Bool { get }
    /// Whether another version of the program may have stored values that this one reads as
    /// something else, as with an enum that has got another case. A put of an unchanged object
    /// keeps them.
    static var mayHoldUnknownValues: Bool { get }

    /// Reads a value; nil or the type's zero where there is none.
    static func read(_ value: borrowing ValueReader) throws -> Self
    /// Reads a value that is there; nil for one that this version of the program does not know.
    static func readIfKnown(_ value: borrowing ValueReader) throws -> Self?
    /// Writes a value.
    func write(to value: inout ValueWriter) throws

    /// Reads the property at `index` of the entity's description; nil or the type's zero where the
    /// row does not have it. Throws as ``RowReader/read(_:as:)`` does.
    static func read(_ index: Int, of row: borrowing RowReader) throws -> Self
    /// Reads the property at `index`, whose value is there; nil for one that this version of the
    /// program does not know.
    static func readIfKnown(_ index: Int, of row: borrowing RowReader) throws -> Self?
    /// Writes the property at `index` of the entity's description.
    func write(to row: inout RowWriter, at index: Int) throws
}

extension PropertyValue {
    /// False: nil is no value of the type.
    public static var isOptionalProperty: Bool { false }
    /// False: every stored value is one of the type's.
    @inlinable
    public static var mayHoldUnknownValues: Bool { false }

    /// Reads the value: each is known.
    @inlinable
    public static func readIfKnown(_ value: borrowing ValueReader) throws -> Self? {
        try read(value)
    }

    /// Reads the property: each value is known.
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
