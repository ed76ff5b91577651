import DaybookBytes
import DaybookEngine
import DaybookQuery

/// The values that one property has in what a query finds, and what they come to. Made by
/// `property(_:)` of a ``Query``.
///
/// Objects in which the property is nil do not count, unless ``with(nullValue:)`` says what stands
/// for nil. It is a value, and throws as the query does.
public struct PropertyQuery<E: Entity, Value>: Sendable {
    let query: Query<E>
    private let term: PropertyTerm
    /// Optional, for a stored value may be one that this version of the program does not know.
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

    /// Equal values count once; texts that differ in case alone are equal where `caseSensitive` is
    /// false.
    public func distinct(caseSensitive: Bool = true) -> PropertyQuery {
        var query = self
        query.isDistinct = true
        query.ignoresCase = !caseSensitive
        return query
    }

    /// What stands for nil: such objects then count.
    public func with(nullValue: Value) -> PropertyQuery {
        let value = Result { try conversion.queryValue(of: nullValue) }
        var query = self
        query.nullValue = { try value.get() }
        return query
    }

    /// What the core is asked.
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
    /// The values that a property has in what is found.
    public func property<Value>(_ property: Property<E, Value>) -> PropertyQuery<E, Value> {
        PropertyQuery(self, property.term, property.conversion.optional)
    }

    /// The values that a property has in what is found, without nil.
    public func property<Value>(_ property: Property<E, Value?>) -> PropertyQuery<E, Value> {
        PropertyQuery(self, property.term, property.conversion)
    }

    /// The values that a property has in what is found.
    public func property<Value>(
        _ path: KeyPath<E.Type, Property<E, Value>>
    ) -> PropertyQuery<E, Value> { property(E.self[keyPath: path]) }

    /// The values that a property has in what is found, without nil.
    public func property<Value>(
        _ path: KeyPath<E.Type, Property<E, Value?>>
    ) -> PropertyQuery<E, Value> { property(E.self[keyPath: path]) }
}
