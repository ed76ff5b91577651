import DaybookRecords

/// How a property is stored.
public struct PropertyType: Sendable, CustomStringConvertible {
    let field: FieldType
    /// What a collection holds: one type, in an array because a value cannot hold its own type.
    private let elements: [PropertyType]
    /// Whether a collection may hold nil.
    private let elementIsOptional: Bool
    /// The type of an embedded value. Its name is asked for when a store is opened, and not before:
    /// a type may hold itself in a collection.
    let embedded: (any Embedded.Type)?
    /// The type that a relation leads to; its name, too, is asked for late.
    let target: (any Entity.Type)?

    init(
        _ field: FieldType, element: PropertyType? = nil, elementIsOptional: Bool = false,
        embedded: (any Embedded.Type)? = nil, target: (any Entity.Type)? = nil
    ) {
        self.field = field
        elements = element.map { [$0] } ?? []
        self.elementIsOptional = elementIsOptional
        self.embedded = embedded
        self.target = target
    }

    /// `Bool`.
    public static let bool = PropertyType(.bool)
    /// `Int8`.
    public static let int8 = PropertyType(.int8)
    /// `Int16`.
    public static let int16 = PropertyType(.int16)
    /// `Int32`.
    public static let int32 = PropertyType(.int32)
    /// `Int64` and `Int`.
    public static let int64 = PropertyType(.int64)
    /// `UInt8`.
    public static let uint8 = PropertyType(.uint8)
    /// `UInt16`.
    public static let uint16 = PropertyType(.uint16)
    /// `UInt32`.
    public static let uint32 = PropertyType(.uint32)
    /// `UInt64` and `UInt`.
    public static let uint64 = PropertyType(.uint64)
    /// `Float`.
    public static let float = PropertyType(.float)
    /// `Double`.
    public static let double = PropertyType(.double)
    /// `Date`, kept as whole milliseconds since 1970.
    public static let date = PropertyType(.date)
    /// `Date`, kept as whole nanoseconds since 1970, in the years 1677 to 2262.
    public static let dateNano = PropertyType(.dateNano)
    /// `String`, kept in UTF-8; and `URL`, as its text.
    public static let string = PropertyType(.string)
    /// `Data` and `[UInt8]`.
    public static let bytes = PropertyType(.bytes)
    /// `UUID`.
    public static let uuid = PropertyType(.uuid)
    /// `Decimal`, kept as its digits.
    public static let decimal = PropertyType(.decimal)
    /// Any `Codable` value, as JSON.
    public static let json = PropertyType(.json)

    /// `Array` of a type.
    public static func list(of element: PropertyType, isOptional: Bool = false) -> PropertyType {
        PropertyType(.list, element: element, elementIsOptional: isOptional)
    }

    /// `Set` of a type.
    public static func set(of element: PropertyType, isOptional: Bool = false) -> PropertyType {
        PropertyType(.set, element: element, elementIsOptional: isOptional)
    }

    /// `Dictionary` from `String` to a type.
    public static func map(to element: PropertyType, isOptional: Bool = false) -> PropertyType {
        PropertyType(.map, element: element, elementIsOptional: isOptional)
    }

    /// An embedded type.
    public static func embedded(_ type: any Embedded.Type) -> PropertyType {
        PropertyType(.embedded, embedded: type)
    }

    /// ``ToOne``, ``Reference``: a relation to at most one object.
    public static func toOne(_ target: any Entity.Type) -> PropertyType {
        PropertyType(.toOne, target: target)
    }

    /// ``ToMany``, ``References``: a relation to any number of objects.
    public static func toMany(_ target: any Entity.Type) -> PropertyType {
        PropertyType(.toMany, target: target)
    }

    /// An ordered relation to objects: the list of objects of DaybookRealm.
    public static func objects(_ target: any Entity.Type) -> PropertyType {
        PropertyType(.objects, target: target)
    }

    /// What a list, set or map holds; nil for all other types.
    public var element: PropertyType? { elements.first }

    /// The embedded types in values of this type, not those in turn in them.
    var embeddedTypes: [any Embedded.Type] {
        (embedded.map { [$0] } ?? []) + elements.flatMap(\.embeddedTypes)
    }

    /// The type as a layout has it.
    func shape(isOptional: Bool) -> ValueShape {
        ValueShape(
            field, isOptional: isOptional, element: element?.shape(isOptional: elementIsOptional),
            entityName: (embedded ?? target as (any Storable.Type)?)?.entityDescription.name ?? "")
    }

    /// The name as messages have it, such as `int64` or `list<string>`.
    public var description: String { shape(isOptional: false).description }
}

extension PropertyType: Hashable {
    /// Whether values are stored alike.
    public static func == (one: PropertyType, other: PropertyType) -> Bool {
        one.field == other.field && one.elements == other.elements
            && one.elementIsOptional == other.elementIsOptional
            && one.embedded.map { ObjectIdentifier($0) }
                == other.embedded.map { ObjectIdentifier($0) }
            && one.target.map { ObjectIdentifier($0) } == other.target.map { ObjectIdentifier($0) }
    }

    /// Takes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(field)
        hasher.combine(elements)
        hasher.combine(elementIsOptional)
        hasher.combine(embedded.map { ObjectIdentifier($0) })
        hasher.combine(target.map { ObjectIdentifier($0) })
    }
}
