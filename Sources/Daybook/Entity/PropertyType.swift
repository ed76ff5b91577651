import DaybookIndex

/// How a property is stored. Fixed for a property's life: another type under the same name is
/// `.schemaMismatch`.
public struct PropertyType: Hashable, Sendable, CustomStringConvertible {
    let field: FieldType

    /// `Bool`.
    public static let bool = PropertyType(field: .bool)
    /// `Int8`.
    public static let int8 = PropertyType(field: .int8)
    /// `Int16`.
    public static let int16 = PropertyType(field: .int16)
    /// `Int32`.
    public static let int32 = PropertyType(field: .int32)
    /// `Int64` and `Int`.
    public static let int64 = PropertyType(field: .int64)
    /// `UInt8`.
    public static let uint8 = PropertyType(field: .uint8)
    /// `UInt16`.
    public static let uint16 = PropertyType(field: .uint16)
    /// `UInt32`.
    public static let uint32 = PropertyType(field: .uint32)
    /// `UInt64` and `UInt`.
    public static let uint64 = PropertyType(field: .uint64)
    /// `Float`.
    public static let float = PropertyType(field: .float)
    /// `Double`.
    public static let double = PropertyType(field: .double)
    /// `Date`, kept as whole milliseconds since 1970.
    public static let date = PropertyType(field: .date)
    /// `String`, kept in UTF-8.
    public static let string = PropertyType(field: .string)
    /// `Data` and `[UInt8]`.
    public static let bytes = PropertyType(field: .bytes)

    /// The name as messages have it, such as `int64`.
    public var description: String { field.name }
}
