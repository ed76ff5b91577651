package import DaybookQuery

/// A stored value without its Swift type.
///
/// There are fewer kinds than types: an integer of any width is ``integer(_:)``, a list and a set
/// are ``list(_:)``, a map and an embedded value are ``map(_:)``. ``StoreSchema`` has the types.
public enum RowValue: Sendable, Hashable {
    /// No value.
    case null
    /// A Boolean.
    case bool(Bool)
    /// An integer of any width, or the sum of integers.
    case integer(Int128)
    /// A `Float` or a `Double`.
    case number(Double)
    /// The digits of a decimal number.
    case decimal(String)
    /// A string, or the JSON of a property that is stored as JSON.
    case text(String)
    /// Bytes.
    case bytes([UInt8])
    /// The 16 bytes of a UUID.
    case uuid([UInt8])
    /// A date in nanoseconds since 1970, whatever the unit of the property.
    case date(nanoseconds: Int128)
    /// A list, or a set in the order of its bytes.
    case list([RowValue])
    /// A map, or the properties of an embedded value by name.
    case map([String: RowValue])

    /// Whether it is ``null``.
    public var isNull: Bool { self == .null }

    /// The name of the kind, for messages.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .integer: "an integer"
        case .number: "a floating-point number"
        case .decimal: "a decimal number"
        case .text: "a string"
        case .bytes: "bytes"
        case .uuid: "a UUID"
        case .date: "a date"
        case .list: "a list"
        case .map: "a map"
        }
    }
}

extension RowValue {
    /// The value as an argument of a query. Collections are no arguments.
    package var argument: QueryValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .decimal(let digits): .decimal(digits)
        case .text(let text): .text(text)
        case .bytes(let bytes): .bytes(bytes)
        case .uuid(let bytes): .uuid(bytes)
        case .date(let nanoseconds): .moment(nanoseconds)
        case .list, .map: .stored([])
        }
    }
}

extension RowValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates ``null``.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(Int128(value)) }
    /// Creates a floating-point number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// Creates a string.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Creates a list.
    public init(arrayLiteral elements: RowValue...) { self = .list(elements) }
    /// Creates a map. Of several values for a key, the last counts.
    public init(dictionaryLiteral elements: (String, RowValue)...) {
        self = .map(Dictionary(elements) { $1 })
    }
}
