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
        ExchangeableQuery(self).updates()
    }

    /// The result of the query as projections, followed by its changes. Same as ``updates()``, with
    /// these differences: only the properties of the projection are read, and only their changes
    /// are modifications, as in a query that is ``watching(_:)-(P.Type)`` the projection.
    ///
    /// ```swift
    /// for try await update in people.query().updates(as: PersonSummary.self) {
    ///     show(update.objects)
    /// }
    /// ```
    ///
    /// Includes of the query have no effect.
    public func updates<P: EntityProjection>(as type: P.Type) -> ProjectionUpdates<P>
    where P.Root == E {
        ExchangeableQuery(watching(type)).projected(as: type)
    }

    /// Returns the query with updates that report commits as soon as they are visible, even if they
    /// are not durable yet: a program sees its own writes at once. A power failure may undo the
    /// last commits that were reported. No effect at ``Durability/always``, where a commit is
    /// durable before it is visible.
    ///
    /// Applies to ``updates()`` and ``live(firstResult:)``. The results of ``find()`` always
    /// include visible commits.
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

extension Query {
    /// Returns the query with updates that report modifications of a projection's properties only:
    /// see ``EntityProjection/projectedProperties``. All modifications are reported if the
    /// projection does not name its properties, or reads a computed property or a backlink.
    ///
    /// A relation counts as modified when the links from the object change. The properties of
    /// related objects do not count.
    public func watching<P: EntityProjection>(_ projection: P.Type) -> Query where P.Root == E {
        let stored = Set(E.entityDescription.properties.map(\.declaredName))
        guard let names = P.projectedProperties, stored.isSuperset(of: names) else { return self }
        var query = self
        // The updates of a projection of the id alone report insertions and deletions.
        query.watched = query.watched ?? []
        return names.reduce(query) { $0.watching(PropertyTerm(named: $1)) }
    }
}

extension Box {
    /// All objects in the order of ids, followed by their changes. Same as ``Query/updates()`` of a
    /// query for all objects, with the same errors and cost.
    public func updates() -> QueryUpdates<E> { query().updates() }
}
