import DaybookBytes
import DaybookQuery

// Updates of the result of a query.

extension Query {
    /// The result of the query, followed by its changes: deletions, insertions, modifications and
    /// moves, in the form in which list views take them.
    ///
    /// ```swift
    /// for try await update in query.updates() {
    ///     switch update {
    ///     case .initial(let people): show(people)
    ///     case .update(let changes): show(changes.objects)
    ///     }
    /// }
    /// ```
    ///
    /// An element is delivered only when the result has changed. Changes that a slow consumer
    /// misses are combined into one element. Only durable commits are reported, unless the query is
    /// ``includingUnsynced()``. If the query uses
    /// properties of related objects, their changes count if they change the result. Objects are
    /// decoded in the isolation of the loop. The sequence ends when the store is closed or the task
    /// is cancelled.
    ///
    /// The iterator throws the errors of ``find()``, and `.invalidArgument` for a
    /// query of a ``ViewBox``.
    ///
    /// Cost: the query once. After that, each commit evaluates the condition for each changed
    /// object of the type. If the condition requires certain values of a property, certain ids, or
    /// certain targets of a to-one relation, only objects that have these before or after the
    /// commit are evaluated. If the condition uses related objects, a change of the used properties
    /// or links evaluates the condition for the objects whose links lead there. The query is run
    /// again instead if it is sorted by relevance, if it is distinct, or if the commit affects
    /// thousands of objects. Only inserted, moved and modified objects are read and decoded. They
    /// are placed in the array of the previous element; if the program still has that array, it is
    /// copied.
    public func updates() -> QueryUpdates<E> {
        QueryUpdates(queries: ExchangeableQuery(self))
    }

    /// Returns the query with updates that report commits as soon as they are visible, even if they
    /// are not durable yet: a program sees its own writes at once. A power failure may undo the
    /// last commits that were reported. No effect at ``Durability/always``, where a commit is
    /// durable before it is visible.
    ///
    /// Applies to ``updates()`` and ``live()``. The results of ``find()`` always include visible
    /// commits.
    public func includingUnsynced() -> Query {
        var query = self
        query.includesUnsynced = true
        return query
    }

    /// Returns the query with updates that report modifications of these properties only.
    /// Insertions, deletions and moves are always reported. A relation counts as modified when the
    /// links from the object change. A property of another object is an error, which the updates
    /// throw.
    public func watching<each Value>(
        _ paths: repeat KeyPath<E.Type, Property<E, each Value>>
    ) -> Query {
        var query = self
        for path in repeat each paths {
            query = query.watching(E.self[keyPath: path].term)
        }
        return query
    }
}

extension Box {
    /// All objects in the order of ids, followed by their changes. Same as ``Query/updates()`` of a
    /// query for all objects, with the same errors and cost.
    public func updates() -> QueryUpdates<E> { query().updates() }
}
