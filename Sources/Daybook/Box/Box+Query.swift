// The beginning of every query; see ``Query``.

extension Box {
    /// Returns a query of the objects that satisfy the condition: `box.query { $0.age > 18 }`.
    public func query(_ condition: (E.Type) throws -> Condition<E>) rethrows -> Query<E> {
        Query(types, try condition(E.self))
    }

    /// Returns a query of the objects that satisfy the condition: `box.query { Person.age > 18 }`.
    public func query(_ condition: () throws -> Condition<E>) rethrows -> Query<E> {
        Query(types, try condition())
    }

    /// Returns a query of the objects that satisfy the condition; of all objects without one.
    public func query(_ condition: Condition<E> = .always(true)) -> Query<E> {
        Query(types, condition)
    }
}

extension ViewBox {
    /// Returns a query of the objects in this version that satisfy the condition: `box.query {
    /// $0.age > 18 }`.
    public func query(_ condition: (E.Type) throws -> Condition<E>) rethrows -> Query<E> {
        Query(types, try condition(E.self))
    }

    /// Returns a query of the objects in this version that satisfy the condition: `box.query {
    /// Person.age > 18 }`.
    public func query(_ condition: () throws -> Condition<E>) rethrows -> Query<E> {
        Query(types, try condition())
    }

    /// Returns a query of the objects in this version that satisfy the condition; of all objects
    /// without one.
    public func query(_ condition: Condition<E> = .always(true)) -> Query<E> {
        Query(types, condition)
    }
}

extension Box {
    /// Exists for its message: a condition is never nil.
    @_disfavoredOverload
    @available(*, unavailable, message: "a condition on an optional property needs no '?' or '!'")
    public func query(_ condition: (E.Type) throws -> Condition<E>?) rethrows -> Query<E> {
        preconditionFailure("unavailable")
    }

    /// Exists for its message: a condition is never nil.
    @_disfavoredOverload
    @available(*, unavailable, message: "a condition on an optional property needs no '?' or '!'")
    public func query(_ condition: () throws -> Condition<E>?) rethrows -> Query<E> {
        preconditionFailure("unavailable")
    }
}

extension ViewBox {
    /// Exists for its message: a condition is never nil.
    @_disfavoredOverload
    @available(*, unavailable, message: "a condition on an optional property needs no '?' or '!'")
    public func query(_ condition: (E.Type) throws -> Condition<E>?) rethrows -> Query<E> {
        preconditionFailure("unavailable")
    }

    /// Exists for its message: a condition is never nil.
    @_disfavoredOverload
    @available(*, unavailable, message: "a condition on an optional property needs no '?' or '!'")
    public func query(_ condition: () throws -> Condition<E>?) rethrows -> Query<E> {
        preconditionFailure("unavailable")
    }
}
