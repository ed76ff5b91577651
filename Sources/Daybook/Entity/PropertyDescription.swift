import DaybookRecords

/// The description of a stored property.
public struct PropertyDescription: Sendable {
    /// The name in the store.
    public var name: String
    /// The name in Swift: the name in ``PropertyAttribute/declared(_:)`` or, without that
    /// attribute, the name that was passed to the initializer.
    public let declaredName: String
    /// The type of the stored values.
    public var type: PropertyType
    /// Whether the value can be nil.
    public var isOptional: Bool
    /// The other attributes of the property.
    public var attributes: [PropertyAttribute]
    /// Whether the store may contain values that the program does not know. A put of an unchanged
    /// object keeps them.
    var keepsUnknownValues = false
    /// Whether a converter produces the stored value.
    private(set) var isConverted = false
    /// Whether a relation is inside another type, such as an optional.
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

    package init<Value: PropertyValue>(
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

    /// Describes a property whose type is inferred from its key path.
    public static func property<Root, Value: PropertyValue>(
        _ name: String, _ path: KeyPath<Root, Value>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, of: Value.self, attributes)
    }

    /// Describes a `Date` with a precision of nanoseconds.
    public static func nanoseconds(
        _ name: String, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, .dateNano, isOptional: true, attributes)
    }

    /// Describes a property that a converter stores as values of `type`.
    public static func converted<Stored: PropertyValue>(
        _ name: String, to type: Stored.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        var description = PropertyDescription(
            name, Stored.propertyType, isOptional: true, attributes)
        description.isConverted = true
        return description
    }

    /// Describes a property of any `Codable` type, stored as JSON.
    public static func encoded(
        _ name: String, _ attributes: PropertyAttribute...
    ) -> PropertyDescription {
        PropertyDescription(name, .json, isOptional: true, attributes)
    }

    /// The declaration of the property in an entity of a kind.
    func declaration(in kind: EntityKind) -> FieldDeclaration {
        let type = kind == .event ? type.inEvent : type
        var declaration = FieldDeclaration(name: name, shape: type.shape(isOptional: isOptional))
        for attribute in attributes {
            switch attribute.content {
            case .formerNames(let names): declaration.formerNames += names
            case .uid(let number): declaration.attributes["uid"] = String(number)
            case .relation(let rules): declaration.rules = rules
            case .index, .unique, .primaryKey, .declaredName, .vector: break
            }
        }
        return declaration
    }

    /// Whether the property is a relation.
    package var isRelation: Bool { type.field.isRelation }

    /// Whether the property has delete rules.
    var hasRules: Bool {
        attributes.contains { if case .relation = $0.content { true } else { false } }
    }

    var indexes: [DeclaredIndex] {
        attributes.compactMap { attribute in
            switch attribute.content {
            case .index(let kind):
                DeclaredIndex([name], kind: kind ?? (type == .string ? .hash : .value))
            case .unique(let conflict): DeclaredIndex([name], kind: .value, conflict: conflict)
            case .primaryKey:
                DeclaredIndex([name], kind: .value, conflict: .fail, isPrimaryKey: true)
            case .vector(let form): DeclaredIndex([name], vectors: form)
            case .formerNames, .uid, .declaredName, .relation: nil
            }
        }
    }
}
