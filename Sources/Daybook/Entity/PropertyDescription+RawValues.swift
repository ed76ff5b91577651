// Types with raw values that do not conform to `PropertyValue`: see RowReader+RawValues.swift.

extension PropertyDescription {
    /// Describes a property of a type with raw values.
    @_disfavoredOverload
    public static func property<E: RawRepresentable>(
        _ name: String, _ type: E.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Equatable {
        stored(name, RawStored<E>.self, attributes)
    }

    /// Describes a property of an optional type with raw values.
    @_disfavoredOverload
    public static func property<E: RawRepresentable>(
        _ name: String, _ type: E?.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Equatable {
        stored(name, RawStored<E>?.self, attributes)
    }

    /// Describes an array of a type with raw values.
    @_disfavoredOverload
    public static func property<E: RawRepresentable>(
        _ name: String, _ type: [E].Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Equatable {
        stored(name, [RawStored<E>].self, attributes)
    }

    /// Describes an optional array of a type with raw values.
    @_disfavoredOverload
    public static func property<E: RawRepresentable>(
        _ name: String, _ type: [E]?.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Equatable {
        stored(name, [RawStored<E>]?.self, attributes)
    }

    /// Describes a set of a type with raw values.
    @_disfavoredOverload
    public static func property<E: RawRepresentable & Hashable>(
        _ name: String, _ type: Set<E>.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Hashable {
        stored(name, Set<RawStored<E>>.self, attributes)
    }

    /// Describes an optional set of a type with raw values.
    @_disfavoredOverload
    public static func property<E: RawRepresentable & Hashable>(
        _ name: String, _ type: Set<E>?.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Hashable {
        stored(name, Set<RawStored<E>>?.self, attributes)
    }

    /// Describes a dictionary of a type with raw values.
    @_disfavoredOverload
    public static func property<E: RawRepresentable>(
        _ name: String, _ type: [String: E].Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Equatable {
        stored(name, [String: RawStored<E>].self, attributes)
    }

    /// Describes an optional dictionary of a type with raw values.
    @_disfavoredOverload
    public static func property<E: RawRepresentable>(
        _ name: String, _ type: [String: E]?.Type, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Equatable {
        stored(name, [String: RawStored<E>]?.self, attributes)
    }

    private static func stored<Value: PropertyValue>(
        _ name: String, _ type: Value.Type, _ attributes: [PropertyAttribute]
    ) -> PropertyDescription {
        PropertyDescription(
            name, Value.propertyType, isOptional: Value.isOptionalProperty, attributes,
            keepsUnknownValues: true)
    }

    /// Describes a property of a type with raw values, whose type is inferred from its key path.
    @_disfavoredOverload
    public static func property<Root, E: RawRepresentable>(
        _ name: String, _ path: KeyPath<Root, E>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Equatable {
        stored(name, RawStored<E>.self, attributes)
    }

    /// Describes a property of an optional type with raw values, inferred from its key path.
    @_disfavoredOverload
    public static func property<Root, E: RawRepresentable>(
        _ name: String, _ path: KeyPath<Root, E?>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Equatable {
        stored(name, RawStored<E>?.self, attributes)
    }

    /// Describes an array of a type with raw values, inferred from its key path.
    @_disfavoredOverload
    public static func property<Root, E: RawRepresentable>(
        _ name: String, _ path: KeyPath<Root, [E]>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Equatable {
        stored(name, [RawStored<E>].self, attributes)
    }

    /// Describes a set of a type with raw values, inferred from its key path.
    @_disfavoredOverload
    public static func property<Root, E: RawRepresentable & Hashable>(
        _ name: String, _ path: KeyPath<Root, Set<E>>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Hashable {
        stored(name, Set<RawStored<E>>.self, attributes)
    }

    /// Describes a dictionary of a type with raw values, inferred from its key path.
    @_disfavoredOverload
    public static func property<Root, E: RawRepresentable>(
        _ name: String, _ path: KeyPath<Root, [String: E]>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Equatable {
        stored(name, [String: RawStored<E>].self, attributes)
    }

    /// Describes an optional array of a type with raw values, inferred from its key path.
    @_disfavoredOverload
    public static func property<Root, E: RawRepresentable>(
        _ name: String, _ path: KeyPath<Root, [E]?>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Equatable {
        stored(name, [RawStored<E>]?.self, attributes)
    }

    /// Describes an optional set of a type with raw values, inferred from its key path.
    @_disfavoredOverload
    public static func property<Root, E: RawRepresentable & Hashable>(
        _ name: String, _ path: KeyPath<Root, Set<E>?>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Hashable {
        stored(name, Set<RawStored<E>>?.self, attributes)
    }

    /// Describes an optional dictionary of a type with raw values, inferred from its key path.
    @_disfavoredOverload
    public static func property<Root, E: RawRepresentable>(
        _ name: String, _ path: KeyPath<Root, [String: E]?>, _ attributes: PropertyAttribute...
    ) -> PropertyDescription where E.RawValue: PropertyValue & Equatable {
        stored(name, [String: RawStored<E>]?.self, attributes)
    }
}
