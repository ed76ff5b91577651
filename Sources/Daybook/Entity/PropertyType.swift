import DaybookRecords

/// The type of a property in the store.
public struct PropertyType: Sendable, CustomStringConvertible {
    let field: FieldType
    /// The element type of a collection: at most one type, in an array because a value cannot
    /// contain its own type.
    private let elements: [PropertyType]
    /// Whether a collection may contain nil.
    private let elementIsOptional: Bool
    /// The type of an embedded value. Its name is read only when a store is opened, because a type
    /// may contain itself in a collection.
    let embedded: (any Embedded.Type)?
    /// The target type of a relation. Its name is also read only when a store is opened.
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
    /// `Date`, stored as whole milliseconds since 1970.
    public static let date = PropertyType(.date)
    /// `Date`, stored as whole nanoseconds since 1970, in the years 1677 to 2262.
    public static let dateNano = PropertyType(.dateNano)
    /// `String`, stored in UTF-8, and `URL`, stored as its string.
    public static let string = PropertyType(.string)
    /// `Data` and `[UInt8]`.
    public static let bytes = PropertyType(.bytes)
    /// `UUID`.
    public static let uuid = PropertyType(.uuid)
    /// `Decimal`, stored as its digits.
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

    /// A relation to at most one object for each key: the map of objects of DaybookRealm.
    public static func keyedObjects(_ target: any Entity.Type) -> PropertyType {
        PropertyType(.keyedObjects, target: target)
    }

    /// Whether it is a relation with keys.
    var hasKeys: Bool { field == .keyedObjects }

    /// The element type of a list, set or map; nil for all other types.
    public var element: PropertyType? { elements.first }

    /// The embedded types in values of this type, without the types embedded in them.
    var embeddedTypes: [any Embedded.Type] {
        (embedded.map { [$0] } ?? []) + elements.flatMap(\.embeddedTypes)
    }

    /// Returns the shape of the type for a layout.
    func shape(isOptional: Bool) -> ValueShape {
        ValueShape(
            field, isOptional: isOptional, element: element?.shape(isOptional: elementIsOptional),
            entityName: (embedded ?? target as (any Storable.Type)?)?.entityDescription.name ?? "")
    }

    /// The name in error messages, such as `int64` or `list<string>`.
    public var description: String { shape(isOptional: false).description }
}

extension PropertyType: Hashable {
    /// Whether the types store values in the same way.
    public static func == (one: PropertyType, other: PropertyType) -> Bool {
        one.field == other.field && one.elements == other.elements
            && one.elementIsOptional == other.elementIsOptional
            && one.embedded.map { ObjectIdentifier($0) }
                == other.embedded.map { ObjectIdentifier($0) }
            && one.target.map { ObjectIdentifier($0) } == other.target.map { ObjectIdentifier($0) }
    }

    /// Hashes the parts that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(field)
        hasher.combine(elements)
        hasher.combine(elementIsOptional)
        hasher.combine(embedded.map { ObjectIdentifier($0) })
        hasher.combine(target.map { ObjectIdentifier($0) })
    }
}
