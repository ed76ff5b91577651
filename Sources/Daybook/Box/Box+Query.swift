// Both query styles; see ``Query``.

extension Box {
    /// Returns a builder for a query of the objects that satisfy the condition: `try box.query {
    /// Person.age > 18 }.build()`.
    public func query(_ condition: () throws -> Condition<E>) rethrows -> QueryBuilder<E> {
        QueryBuilder(Query(types, try condition()))
    }

    /// Returns a builder for a query of the objects that satisfy the condition.
    public func query(_ condition: Condition<E>) -> QueryBuilder<E> {
        QueryBuilder(Query(types, condition))
    }

    /// Returns a builder for a query of all objects.
    public func query() -> QueryBuilder<E> { query(.always(true)) }

    /// Returns a query of the objects that satisfy the condition: `try box.where { $0.age > 18
    /// }.find()`.
    public func `where`(_ condition: (E.Type) throws -> Condition<E>) rethrows -> Query<E> {
        Query(types, try condition(E.self))
    }

    /// Returns a query of the objects that satisfy the condition.
    public func `where`(_ condition: Condition<E>) -> Query<E> { Query(types, condition) }
}

extension ViewBox {
    /// Returns a builder for a query of the objects in this version that satisfy the condition.
    public func query(_ condition: () throws -> Condition<E>) rethrows -> QueryBuilder<E> {
        QueryBuilder(Query(types, try condition()))
    }

    /// Returns a builder for a query of the objects in this version that satisfy the condition.
    public func query(_ condition: Condition<E>) -> QueryBuilder<E> {
        QueryBuilder(Query(types, condition))
    }

    /// Returns a builder for a query of all objects in this version.
    public func query() -> QueryBuilder<E> { query(.always(true)) }

    /// Returns a query of the objects in this version that satisfy the condition.
    public func `where`(_ condition: (E.Type) throws -> Condition<E>) rethrows -> Query<E> {
        Query(types, try condition(E.self))
    }

    /// Returns a query of the objects in this version that satisfy the condition.
    public func `where`(_ condition: Condition<E>) -> Query<E> { Query(types, condition) }
}
