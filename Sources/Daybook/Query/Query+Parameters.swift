#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import DaybookBytes
import DaybookQuery

// New values for the conditions of an existing query. A parameter is identified by the property of
// its condition: by its path from the root (`Order.total`, `Order.customer.name`), or, in a
// condition on related objects, by the property of the related entity (`Customer.name`). It can
// also be identified by the alias of the condition.
//
// All methods throw `.invalidArgument` if there is no such parameter, if there are several, and if
// the condition takes another number or type of values. The query is then unchanged.

extension Query {
    /// Sets the value with which a property is compared, or the string of a string condition.
    /// Throws `.invalidArgument` if the query has no such parameter, or several.
    public mutating func setParameter<Root, Value>(
        _ property: Property<Root, Value>, to value: Value
    ) throws {
        try set(property) { .one(try property.conversion.queryValue(of: value)) }
    }

    /// Sets the id with which a relation is compared. Throws `.invalidArgument` if the query has no
    /// such parameter, or several.
    public mutating func setParameter<Root, Relation: ToOneRelation>(
        _ property: Property<Root, Relation>, to id: EntityId<Relation.Target>
    ) throws {
        try set(property) { .one(.integer(Int128(id.value))) }
    }

    /// Sets the two bounds of a range, in either order. Throws `.invalidArgument` if the query has
    /// no such parameter, or several.
    public mutating func setParameters<Root, Value>(
        _ property: Property<Root, Value>, to one: Value, _ other: Value
    ) throws {
        try set(property) {
            .two(
                try property.conversion.queryValue(of: one),
                try property.conversion.queryValue(of: other))
        }
    }

    /// Sets the values of a condition that a property is one of several values. Throws
    /// `.invalidArgument` if the query has no such parameter, or several.
    public mutating func setParameters<Root, Value>(
        _ property: Property<Root, Value>, to values: [Value]
    ) throws {
        try set(property) {
            .list(try values.map { try property.conversion.queryValue(of: $0) })
        }
    }

    /// Sets the values of a condition that an element of a collection is one of several values.
    /// Throws `.invalidArgument` if the query has no such parameter, or several.
    @_disfavoredOverload
    public mutating func setParameters<Root, Value: CollectionValue>(
        _ property: Property<Root, Value>, to values: [Value.Member]
    ) throws {
        try set(property) {
            let conversion = try Self.elements(of: property)
            return .list(try values.map { try conversion.queryValue(of: $0) })
        }
    }

    /// Sets the value with which the elements of a collection are compared. Throws
    /// `.invalidArgument` if the query has no such parameter, or several.
    @_disfavoredOverload
    public mutating func setParameter<Root, Value: CollectionValue>(
        _ property: Property<Root, Value>, to value: Value.Member
    ) throws {
        try set(property) { .one(try Self.elements(of: property).queryValue(of: value)) }
    }

    private static func elements<Root, Value: CollectionValue>(
        of property: Property<Root, Value>
    ) throws(DaybookError) -> any ValueConversion<Value.Member> {
        guard let conversion = property.conversion.elements(Value.Member.self) else {
            throw DaybookError(
                .invalidArgument,
                "The elements of this \(Value.self) are no stored values, and no condition is about"
                    + " one of them. Set the whole of it.",
                details: ["type": "\(Value.self)"])
        }
        return conversion
    }

    /// Sets the value and the tolerance of an approximate comparison. Throws `.invalidArgument` if
    /// the query has no such parameter, or several.
    public mutating func setParameter<Root, Value>(
        _ property: Property<Root, Value>, toEqual value: Double, tolerance: Double
    ) throws {
        try set(property) { .near(value, tolerance: tolerance) }
    }

    /// Sets the value of the condition with an alias. Throws `.invalidArgument` if the query has no
    /// such alias, or several.
    public mutating func setParameter<Value: PropertyValue>(
        _ alias: String, to value: Value
    ) throws {
        try set(.alias(alias)) { .one(try Self.queryValue(of: value, $0)) }
    }

    /// Sets the value of the condition with an alias to a raw value. Throws `.invalidArgument` if
    /// the query has no such alias, or several.
    @_disfavoredOverload
    public mutating func setParameter<Value: RawRepresentable>(
        _ alias: String, to value: Value
    ) throws where Value.RawValue: PropertyValue & Equatable {
        try set(.alias(alias)) { _ in .one(try QueryValue(value.rawValue)) }
    }

    /// Sets the id of the condition with an alias. Throws `.invalidArgument` if the query has no
    /// such alias, or several.
    public mutating func setParameter<Target>(_ alias: String, to id: EntityId<Target>) throws {
        try set(.alias(alias)) { _ in .one(.integer(Int128(id.value))) }
    }

    /// Sets the two bounds of the range condition with an alias, in either order. Throws
    /// `.invalidArgument` if the query has no such alias, or several.
    public mutating func setParameters<Value: PropertyValue>(
        _ alias: String, to one: Value, _ other: Value
    ) throws {
        try set(.alias(alias)) {
            .two(try Self.queryValue(of: one, $0), try Self.queryValue(of: other, $0))
        }
    }

    /// Sets the values of the condition with an alias. Throws `.invalidArgument` if the query has
    /// no such alias, or several.
    public mutating func setParameters<Value: PropertyValue>(
        _ alias: String, to values: [Value]
    ) throws {
        try set(.alias(alias)) { property in
            .list(try values.map { try Self.queryValue(of: $0, property) })
        }
    }

    /// Sets the values of the condition with an alias to raw values. Throws `.invalidArgument` if
    /// the query has no such alias, or several.
    @_disfavoredOverload
    public mutating func setParameters<Value: RawRepresentable>(
        _ alias: String, to values: [Value]
    ) throws where Value.RawValue: PropertyValue & Equatable {
        try set(.alias(alias)) { _ in .list(try values.map { try QueryValue($0.rawValue) }) }
    }

    /// Sets the value and the tolerance of the approximate comparison with an alias. Throws
    /// `.invalidArgument` if the query has no such alias, or several.
    public mutating func setParameter(
        _ alias: String, toEqual value: Double, tolerance: Double
    ) throws {
        try set(.alias(alias)) { _ in .near(value, tolerance: tolerance) }
    }

    private mutating func set<Root, Value>(
        _ property: Property<Root, Value>, _ values: () throws -> QueryParameterValues
    ) throws {
        if let failure = property.term.failure { throw failure }
        var entity: UInt32?
        if Root.self != E.self, let type = Root.self as? any Storable.Type {
            entity = try types.binding(of: type).entity
        }
        let steps: [String]
        switch property.term.value {
        case .property(let path): steps = path.steps
        case .entry, .aggregate, .element, .value:
            throw DaybookError(
                .invalidArgument,
                "A count, a sum or an entry of a map names no parameter. Name the condition:"
                    + " \"name\" .= condition.")
        }
        let path = property.term.enclosing.flatMap(\.steps) + steps
        try set(.property(path, entity: entity)) { _ in try values() }
    }

    private mutating func set(
        _ name: QueryParameters.Name,
        _ values: (QueryProperty?) throws -> QueryParameterValues
    ) throws {
        if let failure { throw failure }
        let condition = try withoutActuallyEscaping(values) { values in
            var parameters = QueryParameters(name, try types.names.model()) { leaf, property in
                do {
                    return try values(property).replaced(in: leaf)
                } catch {
                    throw DaybookError(inCondition: error)
                }
            }
            return try parameters.replaced(
                in: definition.condition, of: try binding().entity)
        }
        try replaceCondition(condition)
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
