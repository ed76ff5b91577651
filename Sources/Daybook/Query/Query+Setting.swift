// The non-mutating counterparts of `setParameter` and `setParameters`, with the same errors.

extension Query {
    /// Returns the query with another value for a property.
    public func setting<Root, Value>(
        _ property: Property<Root, Value>, to value: Value
    ) throws -> Query { try with { try $0.setParameter(property, to: value) } }

    /// Returns the query with another range for a property.
    public func setting<Root, Value>(
        _ property: Property<Root, Value>, to one: Value, _ other: Value
    ) throws -> Query { try with { try $0.setParameters(property, to: one, other) } }

    /// Returns the query with other values for a property.
    public func setting<Root, Value>(
        _ property: Property<Root, Value>, toOneOf values: [Value]
    ) throws -> Query { try with { try $0.setParameters(property, to: values) } }

    /// Returns the query with another value and tolerance for a property.
    public func setting<Root, Value>(
        _ property: Property<Root, Value>, toEqual value: Double, tolerance: Double
    ) throws -> Query {
        try with { try $0.setParameter(property, toEqual: value, tolerance: tolerance) }
    }

    /// Returns the query with another value for the condition with an alias.
    public func setting<Value: PropertyValue>(
        _ alias: String, to value: Value
    ) throws -> Query { try with { try $0.setParameter(alias, to: value) } }

    /// Returns the query with another raw value for the condition with an alias.
    @_disfavoredOverload
    public func setting<Value: RawRepresentable>(
        _ alias: String, to value: Value
    ) throws -> Query where Value.RawValue: PropertyValue & Equatable {
        try with { try $0.setParameter(alias, to: value) }
    }

    /// Returns the query with another range for the condition with an alias.
    public func setting<Value: PropertyValue>(
        _ alias: String, to one: Value, _ other: Value
    ) throws -> Query { try with { try $0.setParameters(alias, to: one, other) } }

    /// Returns the query with other values for the condition with an alias.
    public func setting<Value: PropertyValue>(
        _ alias: String, toOneOf values: [Value]
    ) throws -> Query { try with { try $0.setParameters(alias, to: values) } }

    /// Returns the query with another value and tolerance for the condition with an alias.
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
