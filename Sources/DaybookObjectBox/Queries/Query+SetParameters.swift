public import Daybook

// Parameters that change a query in place. Daybook's `setting` returns another query, with the same
// errors.

extension Query {
    /// As `setting(_:to:)`.
    public mutating func setParameter<Root, Value>(
        _ property: Property<Root, Value>, to value: Value
    ) throws { self = try setting(property, to: value) }

    /// As `setting(_:to:)` with an id.
    public mutating func setParameter<Root, Relation: ToOneRelation>(
        _ property: Property<Root, Relation>, to id: EntityId<Relation.Target>
    ) throws { self = try setting(property, to: id) }

    /// As `setting(_:to:)` with an element of a collection.
    @_disfavoredOverload
    public mutating func setParameter<Root, Value: CollectionValue>(
        _ property: Property<Root, Value>, to value: Value.Member
    ) throws { self = try setting(property, to: value) }

    /// As `setting(_:to:_:)`.
    public mutating func setParameters<Root, Value>(
        _ property: Property<Root, Value>, to one: Value, _ other: Value
    ) throws { self = try setting(property, to: one, other) }

    /// As `setting(_:toOneOf:)`.
    public mutating func setParameters<Root, Value>(
        _ property: Property<Root, Value>, to values: [Value]
    ) throws { self = try setting(property, toOneOf: values) }

    /// As `setting(_:toOneOf:)` with elements of a collection.
    @_disfavoredOverload
    public mutating func setParameters<Root, Value: CollectionValue>(
        _ property: Property<Root, Value>, to values: [Value.Member]
    ) throws { self = try setting(property, toOneOf: values) }

    /// As `setting(_:toEqual:tolerance:)`.
    public mutating func setParameter<Root, Value>(
        _ property: Property<Root, Value>, toEqual value: Double, tolerance: Double
    ) throws { self = try setting(property, toEqual: value, tolerance: tolerance) }

    /// As `setting(_:to:)` with an alias.
    public mutating func setParameter<Value: PropertyValue>(
        _ alias: String, to value: Value
    ) throws { self = try setting(alias, to: value) }

    /// As `setting(_:to:)` with an alias and a raw value.
    @_disfavoredOverload
    public mutating func setParameter<Value: RawRepresentable>(
        _ alias: String, to value: Value
    ) throws where Value.RawValue: PropertyValue & Equatable {
        self = try setting(alias, to: value)
    }

    /// As `setting(_:to:)` with an alias and an id.
    public mutating func setParameter<Target>(_ alias: String, to id: EntityId<Target>) throws {
        self = try setting(alias, to: id)
    }

    /// As `setting(_:to:_:)` with an alias.
    public mutating func setParameters<Value: PropertyValue>(
        _ alias: String, to one: Value, _ other: Value
    ) throws { self = try setting(alias, to: one, other) }

    /// As `setting(_:toOneOf:)` with an alias.
    public mutating func setParameters<Value: PropertyValue>(
        _ alias: String, to values: [Value]
    ) throws { self = try setting(alias, toOneOf: values) }

    /// As `setting(_:toOneOf:)` with an alias and raw values.
    @_disfavoredOverload
    public mutating func setParameters<Value: RawRepresentable>(
        _ alias: String, to values: [Value]
    ) throws where Value.RawValue: PropertyValue & Equatable {
        self = try setting(alias, toOneOf: values)
    }

    /// As `setting(_:toEqual:tolerance:)` with an alias.
    public mutating func setParameter(
        _ alias: String, toEqual value: Double, tolerance: Double
    ) throws { self = try setting(alias, toEqual: value, tolerance: tolerance) }
}
