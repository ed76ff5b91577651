// Both spellings of queries; see ``Query``.

extension Box {
    /// A query for the objects that are as the condition says, to be built:
    /// `try box.query { Person.age > 18 }.build()`.
    public func query(_ condition: () throws -> Condition<E>) rethrows -> QueryBuilder<E> {
        QueryBuilder(Query(types, try condition()))
    }

    /// A query for the objects that are as the condition says, to be built.
    public func query(_ condition: Condition<E>) -> QueryBuilder<E> {
        QueryBuilder(Query(types, condition))
    }

    /// A query for all objects, to be built.
    public func query() -> QueryBuilder<E> { query(.always(true)) }

    /// The objects that are as the condition says: `try box.where { $0.age > 18 }.find()`.
    public func `where`(_ condition: (E.Type) throws -> Condition<E>) rethrows -> Query<E> {
        Query(types, try condition(E.self))
    }

    /// The objects that are as the condition says.
    public func `where`(_ condition: Condition<E>) -> Query<E> { Query(types, condition) }
}

extension ViewBox {
    /// A query in this version for the objects that are as the condition says, to be built.
    public func query(_ condition: () throws -> Condition<E>) rethrows -> QueryBuilder<E> {
        QueryBuilder(Query(types, try condition()))
    }

    /// A query in this version for the objects that are as the condition says, to be built.
    public func query(_ condition: Condition<E>) -> QueryBuilder<E> {
        QueryBuilder(Query(types, condition))
    }

    /// A query in this version for all objects, to be built.
    public func query() -> QueryBuilder<E> { query(.always(true)) }

    /// The objects of this version that are as the condition says.
    public func `where`(_ condition: (E.Type) throws -> Condition<E>) rethrows -> Query<E> {
        Query(types, try condition(E.self))
    }

    /// The objects of this version that are as the condition says.
    public func `where`(_ condition: Condition<E>) -> Query<E> { Query(types, condition) }
}
