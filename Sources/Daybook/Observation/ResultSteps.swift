import DaybookBytes
import DaybookEngine
import DaybookQuery

/// The steps of an iterator over the result of a query that may be exchanged.
struct ResultSteps<E: Entity>: ChangeSteps {
    private let queries: ExchangeableQuery<E>
    private var wake: @Sendable () -> Void = {}
    /// The query of ``source``.
    private var query: Query<E>
    private var number: Int
    private var source: ResultSource?
    /// The result that the consumer has; nil before the first one.
    private var shown: ShownResult<E>?
    private let isTolerant: Bool

    /// - Parameter isTolerant: Whether objects that cannot be decoded are left out and listed,
    ///   instead of ending the steps; and whether the result is kept at the end, for other steps
    ///   that continue from it.
    init(_ queries: ExchangeableQuery<E>, isTolerant: Bool = false) {
        self.queries = queries
        self.isTolerant = isTolerant
        (query, number) = queries.current
    }

    /// The objects of the result that cannot be decoded.
    var unreadable: [UnreadableObject] { shown?.unreadable ?? [] }

    nonisolated(nonsending) mutating func begin(
        _ wake: @escaping @Sendable () -> Void
    ) async throws -> QueryUpdate<E> {
        self.wake = wake
        return try await exchange()
    }

    nonisolated(nonsending) mutating func advance() async throws -> QueryUpdate<E>? {
        guard let source, queries.isCurrent(number) else { return try await exchange() }
        do {
            guard let step = try await query.advance(source) else { return nil }
            let next = try await applied(step, of: query)
            if queries.isCurrent(number) { return show(next, step, of: source) }
        } catch  where !queries.isCurrent(number) {
            // The error is one of a query that is not wanted any more.
        }
        return try await exchange()
    }

    /// Runs the current query, and returns its result, or the difference from the shown one.
    private nonisolated(nonsending) mutating func exchange() async throws -> QueryUpdate<E> {
        while true {
            try Task.checkCancellation()
            let (query, number) = queries.current
            do {
                let next = try source(of: query, number)
                let old = (source: source, ids: shown?.ids ?? [])
                let step = try await query.read(next) { source in
                    try source.begin(insteadOf: old.source, showing: old.ids)
                }
                let result = try await applied(step, of: query)
                guard queries.isCurrent(number) else { continue }
                return take(result, step, next, query, number)
            } catch  where !queries.isCurrent(number) {
                // Only the error of the last query counts.
            }
        }
    }

    /// Runs the current query on the current thread, and returns its result. Throws the errors of
    /// ``Query/find()``.
    mutating func beginHere(_ wake: @escaping @Sendable () -> Void) throws -> QueryUpdate<E> {
        self.wake = wake
        let (query, number) = queries.current
        let next = try source(of: query, number)
        let step = try next.begin(insteadOf: nil, showing: shown?.ids ?? [])
        let changed = try decoded(step, of: query)
        _ = try query.loaded(changed.compactMap { try? $0.get() })
        return take((shown ?? ShownResult()).applying(step, changed), step, next, query, number)
    }

    private func source(of query: Query<E>, _ number: Int) throws(DaybookError) -> ResultSource {
        let next = try ResultSource(query, isTolerant: isTolerant, wake)
        queries.follow(next, number)
        return next
    }

    private mutating func take(
        _ result: ShownResult<E>, _ step: ResultSource.Step, _ next: ResultSource,
        _ query: Query<E>, _ number: Int
    ) -> QueryUpdate<E> {
        source?.end()
        (source, self.query, self.number) = (next, query, number)
        return show(result, step, of: next)
    }

    private mutating func show(
        _ result: ShownResult<E>, _ step: ResultSource.Step, of source: ResultSource
    ) -> QueryUpdate<E> {
        // IMPORTANT: Not before it is certain that the consumer receives the step: the difference
        // to the result of another query begins with the result that the consumer has.
        source.confirm()
        defer { shown = result }
        guard let shown else { return .initial(result.objects) }
        return .update(ChangeSet(result.difference(from: shown, step), result.objects))
    }

    /// Returns the shown result after a step.
    private nonisolated(nonsending) func applied(
        _ step: ResultSource.Step, of query: Query<E>
    ) async throws -> ShownResult<E> {
        let changed = try decoded(step, of: query)
        _ = try await query.loadedElsewhere(changed.compactMap { try? $0.get() })
        return (shown ?? ShownResult()).applying(step, changed)
    }

    /// Decodes the objects of a step. Throws the first error, unless the steps are tolerant.
    private func decoded(
        _ step: ResultSource.Step, of query: Query<E>
    ) throws -> [Result<E, DaybookError>] {
        let (binding, types) = (try query.binding(), query.types)
        return try step.rows.map { found in
            do {
                return .success(try binding.decode(try found.row.get(), as: E.self, types))
            } catch {
                guard isTolerant else { throw error }
                return .failure(.wrapping(error))
            }
        }
    }

    mutating func end() {
        source?.end()
        source = nil
        if !isTolerant { shown = nil }
    }
}

/// The result that a consumer has.
struct ShownResult<E: Entity> {
    /// The ids of the whole result.
    private(set) var ids: [UInt64] = []
    /// An object for each id; nil if it cannot be decoded.
    private var slots: [E?] = []
    private var failures: [UInt64: DaybookError] = [:]

    /// The objects that can be decoded.
    var objects: [E] { slots.compactMap { $0 } }

    /// The other objects, in the order of the result.
    var unreadable: [UnreadableObject] {
        guard !failures.isEmpty else { return [] }
        return ids.compactMap { id in
            failures[id].map { UnreadableObject(id: id, error: $0) }
        }
    }

    /// Returns the result after a step.
    ///
    /// - Parameter changed: The decoded objects of the step's rows.
    func applying(
        _ step: ResultSource.Step, _ changed: [Result<E, DaybookError>]
    ) -> ShownResult {
        var next = ShownResult()
        next.ids = step.ids
        next.slots = step.difference.applied(to: slots) { _ in nil }
        if !failures.isEmpty {
            next.failures = failures
            for place in step.difference.deletions { next.failures[ids[place]] = nil }
        }
        for (found, object) in zip(step.rows, changed) {
            let id = step.ids[found.place]
            switch object {
            case .success(let object):
                next.slots[found.place] = object
                next.failures[id] = nil
            case .failure(let error):
                next.slots[found.place] = nil
                next.failures[id] = error
            }
        }
        return next
    }

    /// Returns the difference between the readable objects of an older result and of this one,
    /// which followed it by a step.
    func difference(from old: ShownResult, _ step: ResultSource.Step) -> ResultDifference {
        if failures.isEmpty, old.failures.isEmpty { return step.difference }
        let places = step.difference.modifications + step.difference.moves.map(\.from)
        let changed = Set(places.map { old.ids[$0] })
        return ResultDifference(from: old.readableIds, to: readableIds) { changed.contains($0) }
    }

    private var readableIds: [UInt64] { ids.filter { failures[$0] == nil } }
}
