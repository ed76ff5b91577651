import DaybookBytes
import DaybookQuery

// Queries that are told what becomes of their result.

extension Query {
    /// The result as it is, and from then on what becomes of it: deletions, insertions,
    /// modifications and moves, as a list on a screen takes them.
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
    /// Silent while the result stays as it is. Who is slow is told once, of all that has come
    /// since. Commits are told when they are durable. Where the query looks at other objects
    /// through relations, their changes count as far as they change the result. Objects are made
    /// where the loop runs. The sequence ends when the store is closed or the task is cancelled.
    ///
    /// Throws when it is iterated: as ``find(offset:limit:)``; `.invalidArgument` for a query of
    /// a ``ViewBox``. Cost: the query once. For each commit that changes an object of the type,
    /// where the condition requires certain values of one of its properties only if it has them
    /// before or after: the condition is asked of that object. Where it looks at other objects
    /// through relations, a change of the properties that it asks for there, or of the links: the
    /// condition is asked of those whose links lead there. A query that is sorted by relevance or
    /// leaves out equal objects is run again instead, and so is one that thousands of changed
    /// objects concern.
    public func updates() -> QueryUpdates<E> { QueryUpdates(query: self) }

    /// The same query, whose listeners are told of modifications of these properties alone. What
    /// comes, goes or moves is told in any case. A relation is one by the links that lead from the
    /// object; properties of other objects are an error.
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
    /// All objects, and from then on what becomes of them: as ``Query/updates()`` of a query for
    /// all, in the order of ids. Throws and costs as that.
    public func updates() -> QueryUpdates<E> { self.where(.always(true)).updates() }
}
