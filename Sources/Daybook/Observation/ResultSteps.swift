import DaybookBytes
import DaybookEngine
import DaybookQuery

/// How the rows of a result are shown: as objects, or as projections of objects.
struct ResultForm<E: Entity, Shown>: Sendable {
    /// Decodes a row of the result of a query.
    let decode: @Sendable (StoredRow, Query<E>, EntityBinding) throws -> Shown
    /// Returns the object whose relations a query loads; nil for a projection.
    let object: @Sendable (Shown) -> E?
}

extension ResultForm where Shown == E {
    /// Whole objects.
    static var objects: ResultForm {
        ResultForm(
            decode: { row, query, binding in
                try binding.decode(row, as: E.self, query.types)
            },
            object: { $0 })
    }
}

extension ResultForm where Shown: EntityProjection, Shown.Root == E {
    /// Projections. Only their properties are read.
    static var projections: ResultForm {
        ResultForm(
            decode: { row, query, binding in
                try query.decode(row, as: Shown.self, binding)
            }, object: { _ in nil })
    }
}

/// The steps of an iterator over the result of a query that may be exchanged.
struct ResultSteps<E: Entity, Shown>: ChangeSteps {
    private let queries: ExchangeableQuery<E>
    private let form: ResultForm<E, Shown>
    private var wake: @Sendable () -> Void = {}
    /// The query of ``source``.
    private var query: Query<E>
    private var number: Int
    private var source: ResultSource?
    /// The result that the consumer has; nil before the first one.
    private var shown: ShownResult<Shown>?
    private let isTolerant: Bool

    /// - Parameter isTolerant: Whether objects that cannot be decoded are left out and listed,
    ///   instead of ending the steps; and whether the result is kept at the end, for other steps
    ///   that continue from it.
    init(
        _ queries: ExchangeableQuery<E>, _ form: ResultForm<E, Shown>, isTolerant: Bool = false
    ) {
        self.queries = queries
        self.form = form
        self.isTolerant = isTolerant
        (query, number) = queries.current
    }

    /// The objects of the result that cannot be decoded.
    var unreadable: [UnreadableObject] { shown?.unreadable ?? [] }

    nonisolated(nonsending) mutating func begin(
        _ wake: @escaping @Sendable () -> Void
    ) async throws -> QueryUpdate<Shown> {
        self.wake = wake
        return try await exchange()
    }

    nonisolated(nonsending) mutating func advance() async throws -> QueryUpdate<Shown>? {
        guard let source, queries.isCurrent(number) else { return try await exchange() }
        do {
            guard let step = try await query.advance(source) else { return nil }
            let changed = try await changed(step, of: query)
            if queries.isCurrent(number) { return show(step, changed, of: source) }
        } catch  where !queries.isCurrent(number) {
            // The error is one of a query that is not wanted any more.
        }
        return try await exchange()
    }

    /// Runs the current query, and returns its result, or the difference from the shown one.
    private nonisolated(nonsending) mutating func exchange() async throws -> QueryUpdate<Shown> {
        while true {
            try Task.checkCancellation()
            let (query, number) = queries.current
            do {
                let next = try source(of: query, number)
                let old = (source: source, ids: shown?.ids ?? [])
                let step = try await query.read(next) { source in
                    try source.begin(insteadOf: old.source, showing: old.ids)
                }
                let changed = try await changed(step, of: query)
                guard queries.isCurrent(number) else { continue }
                return take(step, changed, next, query, number)
            } catch  where !queries.isCurrent(number) {
                // Only the error of the last query counts.
            }
        }
    }

    /// Runs the current query on the current thread, and returns its result. Throws the errors of
    /// ``Query/find()``.
    mutating func beginHere(_ wake: @escaping @Sendable () -> Void) throws -> QueryUpdate<Shown> {
        self.wake = wake
        let (query, number) = queries.current
        let next = try source(of: query, number)
        let step = try next.begin(insteadOf: nil, showing: shown?.ids ?? [])
        let changed = try decoded(step, of: query)
        _ = try query.loaded(objects(changed))
        return take(step, changed, next, query, number)
    }

    private func source(of query: Query<E>, _ number: Int) throws(DaybookError) -> ResultSource {
        let next = try ResultSource(query, isTolerant: isTolerant, wake)
        queries.follow(next, number)
        return next
    }

    private mutating func take(
        _ step: ResultSource.Step, _ changed: [Result<Shown, DaybookError>], _ next: ResultSource,
        _ query: Query<E>, _ number: Int
    ) -> QueryUpdate<Shown> {
        source?.end()
        (source, self.query, self.number) = (next, query, number)
        return show(step, changed, of: next)
    }

    /// Applies a step to the shown result, and returns the update for the consumer.
    private mutating func show(
        _ step: ResultSource.Step, _ changed: [Result<Shown, DaybookError>], of source: ResultSource
    ) -> QueryUpdate<Shown> {
        // IMPORTANT: Not before it is certain that the consumer receives the step: the difference
        // to the result of another query begins with the result that the consumer has.
        source.confirm()
        let isFirst = shown == nil
        var result = shown.take() ?? ShownResult()
        let difference = result.apply(step, changed)
        shown = result
        if isFirst { return .initial(result.objects) }
        return .update(ChangeSet(difference, result.objects))
    }

    /// Decodes the objects of a step, and reads the relations that the query loads.
    private nonisolated(nonsending) func changed(
        _ step: ResultSource.Step, of query: Query<E>
    ) async throws -> [Result<Shown, DaybookError>] {
        let changed = try decoded(step, of: query)
        _ = try await query.loadedElsewhere(objects(changed))
        return changed
    }

    /// Decodes the objects of a step. Throws the first error, unless the steps are tolerant.
    private func decoded(
        _ step: ResultSource.Step, of query: Query<E>
    ) throws -> [Result<Shown, DaybookError>] {
        let binding = try query.binding()
        return try step.rows.map { found in
            do {
                return .success(try form.decode(try found.row.get(), query, binding))
            } catch {
                guard isTolerant else { throw error }
                return .failure(.wrapping(error))
            }
        }
    }

    /// Returns the objects whose relations a query loads.
    private func objects(_ changed: [Result<Shown, DaybookError>]) -> [E] {
        changed.compactMap { (try? $0.get()).flatMap(form.object) }
    }

    mutating func end() {
        source?.end()
        source = nil
        if !isTolerant { shown = nil }
    }
}

/// The result that a consumer has.
struct ShownResult<Shown> {
    /// The ids of the whole result.
    private(set) var ids: [UInt64] = []
    /// The objects that can be decoded, in the order of the result.
    private(set) var objects: [Shown] = []
    private var failures: [UInt64: DaybookError] = [:]

    /// The other objects, in the order of the result.
    var unreadable: [UnreadableObject] {
        guard !failures.isEmpty else { return [] }
        return ids.compactMap { id in
            failures[id].map { UnreadableObject(id: id, error: $0) }
        }
    }

    /// Applies a step. Returns the difference of the objects that can be decoded.
    ///
    /// Cost: that of ``ResultSource/Step/apply(to:_:)``; O(n) if the old or the new result contains
    /// objects that cannot be decoded.
    ///
    /// - Parameter changed: The decoded objects of the step's rows.
    mutating func apply(
        _ step: ResultSource.Step, _ changed: [Result<Shown, DaybookError>]
    ) -> ResultDifference {
        let readable = changed.compactMap { try? $0.get() }
        guard failures.isEmpty, readable.count == changed.count else {
            return applyWithFailures(step, changed)
        }
        step.difference.apply(to: &ids) { place in step.rows[step.index(ofPlace: place)].id }
        step.apply(to: &objects, readable)
        return step.difference
    }

    private mutating func applyWithFailures(
        _ step: ResultSource.Step, _ changed: [Result<Shown, DaybookError>]
    ) -> ResultDifference {
        let (oldIds, oldReadable) = (ids, readableIds)
        var known = Dictionary(
            zip(oldReadable, objects), uniquingKeysWith: { first, _ in first })
        for place in step.difference.deletions { failures[oldIds[place]] = nil }
        step.difference.apply(to: &ids) { place in step.rows[step.index(ofPlace: place)].id }
        for (found, object) in zip(step.rows, changed) {
            switch object {
            case .success(let object): (known[found.id], failures[found.id]) = (object, nil)
            case .failure(let error): failures[found.id] = error
            }
        }
        objects = readableIds.compactMap { known[$0] }
        let places = step.difference.modifications + step.difference.moves.map(\.from)
        let modified = Set(places.map { oldIds[$0] })
        return ResultDifference(from: oldReadable, to: readableIds) { modified.contains($0) }
    }

    private var readableIds: [UInt64] { ids.filter { failures[$0] == nil } }
}
