/// A Swift type that a property can have.
///
/// Conforming are `Bool`, all integers, `Float`, `Double`, `String`, `Date` (kept to the
/// millisecond), `Data`, `[UInt8]`, and the optional of each.
public protocol PropertyValue {
    /// How values are stored.
    static var propertyType: PropertyType { get }
    /// Whether nil is a value.
    static var isOptionalProperty: Bool { get }

    /// Reads the property at `index` of the entity's description; nil or the type's zero where the
    /// row does not have it. Throws as ``RowReader/read(_:as:)`` does.
    static func read(_ index: Int, of row: borrowing RowReader) throws -> Self
    /// Writes a value.
    func write(to row: inout RowWriter, at index: Int) throws
}

extension PropertyValue {
    /// False: nil is no value of the type.
    public static var isOptionalProperty: Bool { false }
}

extension Optional: PropertyValue where Wrapped: PropertyValue {
    public static var propertyType: PropertyType { Wrapped.propertyType }
    public static var isOptionalProperty: Bool { true }

    @inlinable
    public static func read(_ index: Int, of row: borrowing RowReader) throws -> Wrapped? {
        guard try row.hasValue(index, as: Wrapped.propertyType) else { return nil }
        return try Wrapped.read(index, of: row)
    }

    @inlinable
    public func write(to row: inout RowWriter, at index: Int) throws {
        guard let self else { return try row.writeNull(at: index) }
        try self.write(to: &row, at: index)
    }
}
