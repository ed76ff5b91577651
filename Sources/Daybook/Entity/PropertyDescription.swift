import DaybookRecords

/// One stored property.
public struct PropertyDescription: Sendable {
    /// The name in the store.
    public var name: String
    /// The name in Swift: that of ``PropertyAttribute/declared(_:)`` or, without it, the one that
    /// the description was made with.
    public let declaredName: String
    /// How its values are stored.
    public var type: PropertyType
    /// Whether nil is a value.
    public var isOptional: Bool
    /// What else is said of it.
    public var attributes: [PropertyAttribute]
    /// Whether the store may hold values that the program does not know, which a put of an
    /// unchanged object keeps.
    var keepsUnknownValues = false
    /// Whether what is stored is a converter's, and not the property's own value.
    private(set) var isConverted = false
    /// Whether a relation is wrapped in what is none, such as an optional.
    private(set) var isWrappedRelation = false

    init(
        _ name: String, _ type: PropertyType, isOptional: Bool, _ attributes: [PropertyAttribute],
        keepsUnknownValues: Bool = false
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.attributes = attributes
        self.keepsUnknownValues = keepsUnknownValues
        declaredName =
            attributes.lazy.compactMap { attribute in
                if case .declaredName(let name) = attribute.content { name } else { nil }
            }.first ?? name
    }

    private init<Value: PropertyValue>(
        _ name: String, of type: Value.Type, _ attributes: [PropertyAttribute]
    ) {
        self.init(
            name, Value.propertyType, isOptional: Value.isOptionalProperty, attributes,
            keepsUnknownValues: Value.mayHoldUnknownValues)
        isWrappedRelation =
            Value.propertyType.target != nil && !(Value.self is any RelationProperty.Type)
    }

    /// Describes a property by its Swift type.
    public static func property<Value: PropertyValue>(
        _ name: String, _ type: Value.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, of: Value.self, attributes)
    }

    /// Describes a property whose type only the compiler knows.
    public static func property<Root, Value: PropertyValue>(
        _ name: String, _ path: KeyPath<Root, Value>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, of: Value.self, attributes)
    }

    /// Describes a `Date` that is kept to the nanosecond.
    public static func nanoseconds(
        _ name: String, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, .dateNano, isOptional: true, attributes)
    }

    /// Describes a property that a converter turns into values of `type`.
    public static func converted<Stored: PropertyValue>(
        _ name: String, to type: Stored.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        var description = PropertyDescription(
            name, Stored.propertyType, isOptional: true, attributes)
        description.isConverted = true
        return description
    }

    /// Describes a property of any `Codable` type, which is kept as JSON.
    public static func encoded(
        _ name: String, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, .json, isOptional: true, attributes)
    }

    var declaration: FieldDeclaration {
        var declaration = FieldDeclaration(name: name, shape: type.shape(isOptional: isOptional))
        for attribute in attributes {
            switch attribute.content {
            case .formerNames(let names): declaration.formerNames += names
            case .uid(let number): declaration.attributes["uid"] = String(number)
            case .relation(let rules): declaration.rules = rules
            case .index, .unique, .primaryKey, .declaredName: break
            }
        }
        return declaration
    }

    var indexes: [DeclaredIndex] {
        attributes.compactMap { attribute in
            switch attribute.content {
            case .index(let kind):
                DeclaredIndex([name], kind: kind ?? (type == .string ? .hash : .value))
            case .unique(let conflict): DeclaredIndex([name], kind: .value, conflict: conflict)
            case .primaryKey:
                DeclaredIndex([name], kind: .value, conflict: .fail, isPrimaryKey: true)
            case .formerNames, .uid, .declaredName, .relation: nil
            }
        }
    }
}
