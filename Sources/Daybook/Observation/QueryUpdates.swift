import DaybookBytes
import DaybookEngine
import DaybookQuery

/// The objects of a query's result, followed by their changes: see ``Query/updates()``.
public typealias QueryUpdates<E: Entity> = ResultUpdates<E, E>

/// Projections of the objects of a query's result, followed by their changes: see
/// ``Query/updates(as:)``.
public typealias ProjectionUpdates<P: EntityProjection> = ResultUpdates<P.Root, P>
where P.Root: Entity

/// The result of a query, followed by its changes: ``QueryUpdates`` or ``ProjectionUpdates``.
///
/// Each iterator begins with the current result.
public struct ResultUpdates<E: Entity, Shown>: AsyncSequence, Sendable {
    /// The first result, or a change of the result.
    public typealias Element = QueryUpdate<Shown>
    /// The errors of the query.
    public typealias Failure = any Error

    let queries: ExchangeableQuery<E>
    let form: ResultForm<E, Shown>

    /// Returns a new iterator. Reads nothing before the first element is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(queries, form) }

    /// Iterates over the changes of the result. Not for concurrent use by several tasks.
    public struct Iterator: AsyncIteratorProtocol {
        private var iterator: ChangeIterator<ResultSteps<E, Shown>>

        init(_ queries: ExchangeableQuery<E>, _ form: ResultForm<E, Shown>) {
            iterator = ChangeIterator(ResultSteps(queries, form))
        }

        /// ``next(isolation:)`` with the caller's isolation.
        public nonisolated(nonsending) mutating func next() async throws -> QueryUpdate<Shown>? {
            try await next(isolation: #isolation)
        }

        /// Returns the result at the first call, and then each change of the result, suspending
        /// until there is one. Objects are decoded in the given isolation. Returns nil when the
        /// store is closed or the task is cancelled.
        ///
        /// Throws the errors of ``Query/find()``. The sequence ends after an error.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> QueryUpdate<Shown>? {
            try await iterator.next(isolation: actor)
        }
    }
}

@available(*, unavailable)
extension ResultUpdates.Iterator: Sendable {}

extension Query {
    /// Runs `body` with a source of the query's results, on a thread of the store.
    nonisolated(nonsending) func read<Result: Sendable>(
        _ source: ResultSource, _ body: @escaping @Sendable (ResultSource) throws -> Result
    ) async throws -> Result {
        try await types.engine.readElsewhere { try body(source) }
    }

    /// Updates a source on a thread of the store, and returns the change; nil if there is none.
    /// Throws `.closed` after the last change before the store was closed.
    nonisolated(nonsending) func advance(
        _ source: ResultSource
    ) async throws -> ResultSource.Step? {
        do {
            return try await read(source) { try $0.advance() }
        } catch DaybookError.Code.closed {
            // The source has read its last change before the close.
            return try source.advance()
        }
    }
}

extension ResultSource.Step {
    /// Applies the step to the old result. `changed` is the decoded objects of ``rows``.
    ///
    /// Cost: that of ``ResultDifference/apply(to:inserting:)``, and a copy of the array if another
    /// reference to it exists.
    func apply<Element>(to list: inout [Element], _ changed: [Element]) {
        difference.apply(to: &list) { place in changed[index(ofPlace: place)] }
        for (found, object) in zip(rows, changed) { list[found.place] = object }
    }

    /// The index in ``rows`` of the object at a position of the new result.
    func index(ofPlace place: Int) -> Int { rows.partitioningIndex { $0.place >= place } }
}
