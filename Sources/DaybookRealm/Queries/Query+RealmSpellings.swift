public import Daybook

// Realm's names for queries and their order.

extension Box {
    /// Same as `query`: `people.where { $0.age > 18 }`.
    public func `where`(_ condition: (E.Type) throws -> Condition<E>) rethrows -> Query<E> {
        try query(condition)
    }

    /// Same as `query`.
    public func `where`(_ condition: Condition<E>) -> Query<E> { query(condition) }
}

extension ViewBox {
    /// Same as `query`: `people.where { $0.age > 18 }`.
    public func `where`(_ condition: (E.Type) throws -> Condition<E>) rethrows -> Query<E> {
        try query(condition)
    }

    /// Same as `query`.
    public func `where`(_ condition: Condition<E>) -> Query<E> { query(condition) }
}

extension Query {
    /// Same as `and`.
    public func filter(_ condition: (E.Type) throws -> Condition<E>) rethrows -> Query {
        try and(condition)
    }

    /// Same as `ordered(by:)`.
    public func sorted<Value>(
        by property: Property<E, Value>, flags: OrderFlags = []
    ) -> Query { ordered(by: property, flags: flags) }

    /// Same as `ordered(by:)`: `sorted(by: \.name)`.
    public func sorted<Value>(
        by path: KeyPath<E.Type, Property<E, Value>>, flags: OrderFlags = []
    ) -> Query { ordered(by: path, flags: flags) }

    /// Same as `ordered(by:)`, ascending or descending.
    public func sorted<Value>(
        by path: KeyPath<E.Type, Property<E, Value>>, ascending: Bool
    ) -> Query { ordered(by: path, flags: ascending ? [] : .descending) }

    /// Same as `ordered(by:)` with several properties.
    public func sorted<First, Second, each Value>(
        by first: KeyPath<E.Type, Property<E, First>>,
        _ second: KeyPath<E.Type, Property<E, Second>>,
        _ others: repeat KeyPath<E.Type, Property<E, each Value>>
    ) -> Query { ordered(by: first, second, repeat each others) }

    /// Same as `orderedByRelevance`.
    public func sortedByRelevance() -> Query { orderedByRelevance() }
}

extension GroupedQuery {
    /// Same as `ordered(by:)`.
    public func sorted<Value>(
        by value: (GroupTerms<E>) -> GroupValue<E, Value>, flags: OrderFlags = []
    ) -> GroupedQuery { ordered(by: value, flags: flags) }
}
