#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import DaybookBytes
import DaybookQuery

// Queries with other values in their conditions. A parameter is identified by the property of
// its condition: by its path from the root (`Order.total`, `Order.customer.name`), or, in a
// condition on related objects, by the property of the related entity (`Customer.name`). It can
// also be identified by the alias of the condition.
//
// All methods throw `.invalidArgument` if there is no such parameter, if there are several, and if
// the condition takes another number or type of values.

extension Query {
    /// Returns the query with another value with which a property is compared, or another string of
    /// a string condition. Throws `.invalidArgument` if the query has no such parameter, or
    /// several.
    public func setting<Root, Value>(
        _ property: Property<Root, Value>, to value: Value
    ) throws -> Query {
        try with(property) { .one(try property.conversion.queryValue(of: value)) }
    }

    /// Returns the query with another id with which a relation is compared. Throws
    /// `.invalidArgument` if the query has no such parameter, or several.
    public func setting<Root, Relation: ToOneRelation>(
        _ property: Property<Root, Relation>, to id: EntityId<Relation.Target>
    ) throws -> Query {
        try with(property) { .one(.integer(Int128(id.value))) }
    }

    /// Returns the query with other bounds of a range, in either order. Throws `.invalidArgument`
    /// if the query has no such parameter, or several.
    public func setting<Root, Value>(
        _ property: Property<Root, Value>, to one: Value, _ other: Value
    ) throws -> Query {
        try with(property) {
            .two(
                try property.conversion.queryValue(of: one),
                try property.conversion.queryValue(of: other))
        }
    }

    /// Returns the query with other values of a condition that a property is one of several values.
    /// Throws `.invalidArgument` if the query has no such parameter, or several.
    public func setting<Root, Value>(
        _ property: Property<Root, Value>, toOneOf values: [Value]
    ) throws -> Query {
        try with(property) {
            .list(try values.map { try property.conversion.queryValue(of: $0) })
        }
    }

    /// Returns the query with other values of a condition that an element of a collection is one of
    /// several values. Throws `.invalidArgument` if the query has no such parameter, or several.
    @_disfavoredOverload
    public func setting<Root, Value: CollectionValue>(
        _ property: Property<Root, Value>, toOneOf values: [Value.Member]
    ) throws -> Query {
        try with(property) {
            let conversion = try Self.elements(of: property)
            return .list(try values.map { try conversion.queryValue(of: $0) })
        }
    }

    /// Returns the query with another value with which the elements of a collection are compared.
    /// Throws `.invalidArgument` if the query has no such parameter, or several.
    @_disfavoredOverload
    public func setting<Root, Value: CollectionValue>(
        _ property: Property<Root, Value>, to value: Value.Member
    ) throws -> Query {
        try with(property) { .one(try Self.elements(of: property).queryValue(of: value)) }
    }

    private static func elements<Root, Value: CollectionValue>(
        of property: Property<Root, Value>
    ) throws(DaybookError) -> any ValueConversion<Value.Member> {
        guard let conversion = property.conversion.elements(Value.Member.self) else {
            throw DaybookError(
                .invalidArgument,
                "The elements of this \(Value.self) are not stored values, so no condition"
                    + " compares one of them. Set the whole value.",
                details: ["type": "\(Value.self)"])
        }
        return conversion
    }

    /// Returns the query with another value and tolerance of an approximate comparison. Throws
    /// `.invalidArgument` if the query has no such parameter, or several.
    public func setting<Root, Value>(
        _ property: Property<Root, Value>, toEqual value: Double, tolerance: Double
    ) throws -> Query {
        try with(property) { .near(value, tolerance: tolerance) }
    }

    /// Returns the query with another vector whose nearest neighbours are searched. Throws
    /// `.invalidArgument` if the query has no such search.
    public func setting<Root, Value: CollectionValue>(
        _ property: Property<Root, Value>, nearestTo vector: [Float]
    ) throws -> Query where Value.Member == Float { try with(property) { .vector(vector) } }

    /// Returns the query with another maximum number of nearest neighbours. Throws
    /// `.invalidArgument` if the query has no such search.
    public func setting<Root, Value: CollectionValue>(
        _ property: Property<Root, Value>, nearestCount count: Int
    ) throws -> Query where Value.Member == Float { try with(property) { .neighborCount(count) } }

    /// Returns the query with another vector whose nearest neighbours the condition with an alias
    /// searches. Throws `.invalidArgument` if the query has no such alias, or several.
    public func setting(_ alias: String, nearestTo vector: [Float]) throws -> Query {
        try with(.alias(alias)) { _ in .vector(vector) }
    }

    /// Returns the query with another maximum number of nearest neighbours of the condition with an
    /// alias. Throws `.invalidArgument` if the query has no such alias, or several.
    public func setting(_ alias: String, nearestCount count: Int) throws -> Query {
        try with(.alias(alias)) { _ in .neighborCount(count) }
    }

    /// Returns the query with another value of the condition with an alias. Throws
    /// `.invalidArgument` if the query has no such alias, or several.
    public func setting<Value: PropertyValue>(
        _ alias: String, to value: Value
    ) throws -> Query {
        try with(.alias(alias)) { .one(try Self.queryValue(of: value, $0)) }
    }

    /// Returns the query with another raw value of the condition with an alias. Throws
    /// `.invalidArgument` if the query has no such alias, or several.
    @_disfavoredOverload
    public func setting<Value: RawRepresentable>(
        _ alias: String, to value: Value
    ) throws -> Query where Value.RawValue: PropertyValue & Equatable {
        try with(.alias(alias)) { _ in .one(try QueryValue(value.rawValue)) }
    }

    /// Returns the query with another id of the condition with an alias. Throws `.invalidArgument`
    /// if the query has no such alias, or several.
    public func setting<Target>(_ alias: String, to id: EntityId<Target>) throws -> Query {
        try with(.alias(alias)) { _ in .one(.integer(Int128(id.value))) }
    }

    /// Returns the query with other bounds of the range condition with an alias, in either order.
    /// Throws `.invalidArgument` if the query has no such alias, or several.
    public func setting<Value: PropertyValue>(
        _ alias: String, to one: Value, _ other: Value
    ) throws -> Query {
        try with(.alias(alias)) {
            .two(try Self.queryValue(of: one, $0), try Self.queryValue(of: other, $0))
        }
    }

    /// Returns the query with other values of the condition with an alias. Throws
    /// `.invalidArgument` if the query has no such alias, or several.
    public func setting<Value: PropertyValue>(
        _ alias: String, toOneOf values: [Value]
    ) throws -> Query {
        try with(.alias(alias)) { property in
            .list(try values.map { try Self.queryValue(of: $0, property) })
        }
    }

    /// Returns the query with other raw values of the condition with an alias. Throws
    /// `.invalidArgument` if the query has no such alias, or several.
    @_disfavoredOverload
    public func setting<Value: RawRepresentable>(
        _ alias: String, toOneOf values: [Value]
    ) throws -> Query where Value.RawValue: PropertyValue & Equatable {
        try with(.alias(alias)) { _ in .list(try values.map { try QueryValue($0.rawValue) }) }
    }

    /// Returns the query with another value and tolerance of the approximate comparison with an
    /// alias. Throws
    /// `.invalidArgument` if the query has no such alias, or several.
    public func setting(
        _ alias: String, toEqual value: Double, tolerance: Double
    ) throws -> Query {
        try with(.alias(alias)) { _ in .near(value, tolerance: tolerance) }
    }

    /// Sets the parameter of a property in place with `setting`, which receives the query.
    package func setParameter<Root, Value>(
        of property: Property<Root, Value>, _ setting: (Query) throws -> Query
    ) { setInPlace("property \(property.term.enclosing) \(property.term.value)", setting) }

    /// Sets the parameter with an alias in place with `setting`, which receives the query.
    package func setParameter(named alias: String, _ setting: (Query) throws -> Query) {
        setInPlace("alias \(alias)", setting)
    }

    private func with<Root, Value>(
        _ property: Property<Root, Value>, _ values: () throws -> QueryParameterValues
    ) throws -> Query {
        if let failure = property.term.failure { throw failure }
        var entity: UInt32?
        if Root.self != E.self, let type = Root.self as? any Storable.Type {
            entity = try types.binding(of: type).entity
        }
        let steps: [String]
        switch property.term.value {
        case .property(let path): steps = path.steps
        case .entry, .aggregate, .element, .value, .function:
            throw DaybookError(
                .invalidArgument,
                "A count, a sum or an entry of a map does not identify a parameter. Name the"
                    + " condition: condition.named(\"name\").")
        }
        let path = property.term.enclosing.flatMap(\.steps) + steps
        return try with(.property(path, entity: entity)) { _ in try values() }
    }

    private func with(
        _ name: QueryParameters.Name,
        _ values: (QueryProperty?) throws -> QueryParameterValues
    ) throws -> Query {
        let query = detached
        if let failure = query.failure { throw failure }
        let condition = try withoutActuallyEscaping(values) { values in
            var parameters = QueryParameters(name, try types.names.model()) { leaf, property in
                do {
                    return try values(property).replaced(in: leaf)
                } catch {
                    throw DaybookError(inCondition: error)
                }
            }
            parameters.takesFirst = takesFirstParameter
            return try parameters.replaced(
                in: query.definition.condition, of: try binding().entity)
        }
        return try query.with(condition: condition)
    }

    /// Converts a value. A date is rounded to the precision of the property.
    private static func queryValue<Value: PropertyValue>(
        of value: Value, _ property: QueryProperty?
    ) throws -> QueryValue {
        if let date = value as? Date, property?.shape.type == .dateNano {
            return .moment(try date.moment(inNanoseconds: true))
        }
        return try QueryValue(value)
    }
}
