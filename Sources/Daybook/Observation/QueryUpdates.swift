import DaybookBytes
import DaybookEngine
import DaybookQuery

/// The result of a query, followed by its changes: see ``Query/updates()``.
///
/// Each iterator begins with the current result.
public struct QueryUpdates<E: Entity>: AsyncSequence, Sendable {
    /// The first result, or a change of the result.
    public typealias Element = QueryUpdate<E>
    /// The errors of the query.
    public typealias Failure = any Error

    let query: Query<E>

    /// Returns a new iterator. Reads nothing before the first element is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(query) }

    /// Iterates over the changes of the result. Not for concurrent use by several tasks.
    public struct Iterator: AsyncIteratorProtocol {
        private let query: Query<E>
        private var source: ResultSource?
        private var wakes: AsyncStream<Void>.Iterator?
        private var objects: [E] = []
        private var isOver = false

        init(_ query: Query<E>) { self.query = query }

        /// ``next(isolation:)`` with the caller's isolation.
        public nonisolated(nonsending) mutating func next() async throws -> QueryUpdate<E>? {
            try await next(isolation: #isolation)
        }

        /// Returns the result at the first call, and then each change of the result, suspending
        /// until there is one. Objects are decoded in the given isolation. Returns nil when the
        /// store is closed or the task is cancelled.
        ///
        /// Throws the errors of ``Query/find()``. The sequence ends after an error.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> QueryUpdate<E>? {
            guard !isOver else { return nil }
            do {
                try Task.checkCancellation()
                guard let source else { return .initial(try await begin(isolation: actor)) }
                while !Task.isCancelled {
                    if let step = try await query.read(source, { try $0.advance() }) {
                        objects = try await query.applied(step, to: objects)
                        return .update(ChangeSet(step.difference, objects))
                    }
                    guard await wakes?.next(isolation: actor) != nil else { break }
                }
            } catch DaybookError.Code.closed where source != nil {
                // The sequence ends with the store.
            } catch is CancellationError {
                // The sequence ends with its task.
            } catch {
                end()
                throw error
            }
            end()
            return nil
        }

        private mutating func begin(isolation actor: isolated (any Actor)?) async throws -> [E] {
            let (stream, continuation) = AsyncStream.makeStream(
                of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let binding = try query.binding()
            let types = query.types
            let source = try ResultSource(query) { continuation.yield() }
            let rows = try await query.read(source) { try $0.begin() }
            objects = try await query.loadedElsewhere(
                rows.map { try binding.decode($0, as: E.self, types) })
            self.source = source
            wakes = stream.makeAsyncIterator()
            return objects
        }

        private mutating func end() {
            isOver = true
            source?.end()
            (source, wakes, objects) = (nil, nil, [])
        }
    }
}

@available(*, unavailable)
extension QueryUpdates.Iterator: Sendable {}

extension Query {
    /// Runs `body` with a source of the query's results, on a thread of the store.
    nonisolated(nonsending) func read<Result: Sendable>(
        _ source: ResultSource, _ body: @escaping @Sendable (ResultSource) throws -> Result
    ) async throws -> Result {
        try await types.engine.readElsewhere { try body(source) }
    }

    /// Returns the new result, computed from the old result and a change.
    nonisolated(nonsending) func applied(
        _ step: ResultSource.Step, to old: [E]
    ) async throws -> [E] {
        let (binding, types) = (try binding(), types)
        let changed = try await loadedElsewhere(
            step.rows.map { try binding.decode($0.row, as: E.self, types) })
        return step.applied(to: old, changed)
    }
}

extension ResultSource.Step {
    /// Returns the new result, computed from the old result and the decoded objects of ``rows``.
    func applied<Element>(to old: [Element], _ changed: [Element]) -> [Element] {
        let changed = Dictionary(
            uniqueKeysWithValues: zip(rows.map(\.place), changed))
        var new = difference.applied(to: old.map { Optional($0) }) { changed[$0] }
        for (place, object) in changed { new[place] = object }
        return new.compactMap { $0 }
    }
}
