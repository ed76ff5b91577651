// As the mutating forms, which see: another query with the new values.

extension Query {
    /// The query with another value of a property.
    public func setting<Root, Value>(
        _ property: Property<Root, Value>, to value: Value
    ) throws -> Query { try with { try $0.setParameter(property, to: value) } }

    /// The query with another range of a property.
    public func setting<Root, Value>(
        _ property: Property<Root, Value>, to one: Value, _ other: Value
    ) throws -> Query { try with { try $0.setParameters(property, to: one, other) } }

    /// The query with other values of a property.
    public func setting<Root, Value>(
        _ property: Property<Root, Value>, toOneOf values: [Value]
    ) throws -> Query { try with { try $0.setParameters(property, to: values) } }

    /// The query with another number that a property is to be near.
    public func setting<Root, Value>(
        _ property: Property<Root, Value>, toEqual value: Double, tolerance: Double
    ) throws -> Query {
        try with { try $0.setParameter(property, toEqual: value, tolerance: tolerance) }
    }

    /// The query with another value in the condition of that name.
    public func setting<Value: PropertyValue>(
        _ alias: String, to value: Value
    ) throws -> Query { try with { try $0.setParameter(alias, to: value) } }

    /// The query with another value in the condition of that name, by its raw value.
    @_disfavoredOverload
    public func setting<Value: RawRepresentable>(
        _ alias: String, to value: Value
    ) throws -> Query where Value.RawValue: PropertyValue & Equatable {
        try with { try $0.setParameter(alias, to: value) }
    }

    /// The query with another range in the condition of that name.
    public func setting<Value: PropertyValue>(
        _ alias: String, to one: Value, _ other: Value
    ) throws -> Query { try with { try $0.setParameters(alias, to: one, other) } }

    /// The query with other values in the condition of that name.
    public func setting<Value: PropertyValue>(
        _ alias: String, toOneOf values: [Value]
    ) throws -> Query { try with { try $0.setParameters(alias, to: values) } }

    /// The query with another number and tolerance in the condition of that name.
    public func setting(
        _ alias: String, toEqual value: Double, tolerance: Double
    ) throws -> Query {
        try with { try $0.setParameter(alias, toEqual: value, tolerance: tolerance) }
    }

    private func with(_ change: (inout Query) throws -> Void) rethrows -> Query {
        var query = self
        try change(&query)
        return query
    }
}
