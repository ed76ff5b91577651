import DaybookEngine
import DaybookIndex

/// An entity's name and properties, as its type declares them.
public struct EntityDescription: Sendable {
    /// The name in the store.
    public var name: String
    /// The properties, in the order of their indexes; the id is not among them.
    public var properties: [PropertyDescription]
    /// Whether `put` takes ids that the store never gave out.
    public var hasAssignableIds: Bool

    /// Describes an entity.
    public init(
        _ name: String, _ properties: [PropertyDescription], hasAssignableIds: Bool = false
    ) {
        self.name = name
        self.properties = properties
        self.hasAssignableIds = hasAssignableIds
    }

    var declaration: EntityDeclaration {
        EntityDeclaration(
            name: name,
            fields: properties.map {
                FieldDeclaration(name: $0.name, type: $0.type.field, isOptional: $0.isOptional)
            })
    }
}

/// One stored property.
public struct PropertyDescription: Sendable {
    /// The name in the store.
    public var name: String
    /// How its values are stored.
    public var type: PropertyType
    /// Whether nil is a value.
    public var isOptional: Bool

    /// Describes a property by its Swift type.
    public static func property<Value: PropertyValue>(
        _ name: String, _ type: Value.Type
    ) -> PropertyDescription {
        PropertyDescription(
            name: name, type: Value.propertyType, isOptional: Value.isOptionalProperty)
    }

    /// Describes a property whose type only the compiler knows.
    public static func property<Root, Value: PropertyValue>(
        _ name: String, _ path: KeyPath<Root, Value>
    ) -> PropertyDescription {
        property(name, Value.self)
    }
}
