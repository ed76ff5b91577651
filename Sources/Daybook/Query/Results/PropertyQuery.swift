import DaybookBytes
import DaybookEngine
import DaybookQuery

/// A query for the values of one property, and for aggregates of them. Returned by `property(_:)`
/// of a ``Query``.
///
/// Objects whose property is nil are ignored, unless ``with(nullValue:)`` sets a value for nil. A
/// property query is a value, and throws the errors of the query.
public struct PropertyQuery<E: Entity, Value>: Sendable {
    let query: Query<E>
    private let term: PropertyTerm
    /// Optional, because a stored value may be unknown to this version of the program.
    private let conversion: any ValueConversion<Value?>
    private var nullValue: @Sendable () throws -> QueryValue? = { nil }
    private var isDistinct = false
    private var ignoresCase = false

    init(
        _ query: Query<E>, _ term: PropertyTerm, _ conversion: any ValueConversion<Value?>
    ) {
        self.query = query
        self.term = term
        self.conversion = conversion
    }

    /// Returns the query with equal values counted once. If `caseSensitive` is false, strings that
    /// differ only in case are equal.
    public func distinct(caseSensitive: Bool = true) -> PropertyQuery {
        var query = self
        query.isDistinct = true
        query.ignoresCase = !caseSensitive
        return query
    }

    /// Returns the query with a value that replaces nil. Objects whose property is nil then count.
    public func with(nullValue: Value) -> PropertyQuery {
        let value = Result { try conversion.queryValue(of: nullValue) }
        var query = self
        query.nullValue = { try value.get() }
        return query
    }

    /// The query in the form that the query engine runs.
    func aggregates() throws -> QueryAggregates {
        var aggregates = try QueryAggregates(
            try query.runner(), of: try term.only("A property query"))
        aggregates.nullValue = try nullValue()
        aggregates.isDistinct = isDistinct
        aggregates.ignoresCase = ignoresCase
        return aggregates
    }

    func values(of stored: [QueryValue]) throws -> [Value] {
        try stored.compactMap { try conversion.value(of: $0, query.types) }
    }

    func value(of stored: QueryValue) throws -> Value? {
        try conversion.value(of: stored, query.types)
    }

    func only(_ found: [QueryValue]) throws -> Value? {
        try Query<E>.requireOne(found.count)
        return try values(of: found).first
    }

    func sum<Sum: PropertyValue>(of stored: QueryValue, as type: Sum.Type) throws -> Sum {
        try stored.made(query.types)
    }
}

extension Query {
    /// Returns a query for the values of a property.
    public func property<Value>(_ property: Property<E, Value>) -> PropertyQuery<E, Value> {
        PropertyQuery(self, property.term, property.conversion.optional)
    }

    /// Returns a query for the values of a property that are not nil.
    public func property<Value>(_ property: Property<E, Value?>) -> PropertyQuery<E, Value> {
        PropertyQuery(self, property.term, property.conversion)
    }

    /// Returns a query for the values of a property.
    public func property<Value>(
        _ path: KeyPath<E.Type, Property<E, Value>>
    ) -> PropertyQuery<E, Value> { property(E.self[keyPath: path]) }

    /// Returns a query for the values of a property that are not nil.
    public func property<Value>(
        _ path: KeyPath<E.Type, Property<E, Value?>>
    ) -> PropertyQuery<E, Value> { property(E.self[keyPath: path]) }
}
