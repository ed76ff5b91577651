public import Daybook

// ObjectBox's reads of the objects of several ids, and of all objects.

extension Box {
    /// As `forEach(ids:_:)`.
    public func `for`(_ ids: some Collection<Id>, in visitor: (E?) throws -> Void) throws {
        try forEach(ids: ids, visitor)
    }

    /// As `forEach(ids:_:)` with typed ids.
    @_disfavoredOverload
    public func `for`(
        _ ids: some Collection<EntityId<E>>, in visitor: (E?) throws -> Void
    ) throws { try forEach(ids: ids.map(\.value), visitor) }

    /// As `forEach(ids:_:)`, until `visitor` returns false.
    public func visit(_ ids: some Collection<Id>, in visitor: (E?) throws -> Bool) throws {
        do {
            try forEach(ids: ids) { object in
                if try !visitor(object) { throw VisitEnd() }
            }
        } catch is VisitEnd {}
    }

    /// As `forEach(ids:_:)` with typed ids, until `visitor` returns false.
    @_disfavoredOverload
    public func visit(
        _ ids: some Collection<EntityId<E>>, in visitor: (E?) throws -> Bool
    ) throws { try visit(ids.map(\.value), in: visitor) }

    /// As `all`, with a `ContiguousArray`.
    public func allContiguous() throws -> ContiguousArray<E> { ContiguousArray(try all()) }

    /// As `all`, with a `ContiguousArray`, without blocking.
    public nonisolated(nonsending) func allContiguous() async throws -> ContiguousArray<E> {
        ContiguousArray(try await all())
    }
}

/// Ends a visit early.
private struct VisitEnd: Error {}
