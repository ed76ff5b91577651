import DaybookBytes
import DaybookEngine
import DaybookQuery
import Synchronization

/// The current result of a query as rows; the subscriber decodes the objects.
///
/// Registered for changes of the store from ``begin()`` until it is deallocated.
final class ResultSource: Sendable {
    /// A change of the result, with the rows that must be decoded again.
    struct Step: Sendable {
        var difference: ResultDifference
        /// The inserted, moved and modified objects, by their positions in the new result. A row
        /// that cannot be read is an error if the source is tolerant.
        var rows: [(place: Int, id: UInt64, row: Result<StoredRow, DaybookError>)]
    }

    private struct State {
        var live: LiveQuery?
        /// The touched objects of the advances since the last confirmed step; nil if they are
        /// unknown.
        var unseen: CommitTouches? = CommitTouches()
        /// Whether the last advance returned its step.
        var isReturned = false
        /// The step that ``ResultSource/finish()`` computed.
        var last: Step?
    }

    let types: StoreTypes
    let runner: QueryRunner
    let watched: [PropertyPath]?
    let queries: LiveQueries
    private let wake: @Sendable () -> Void
    private let isTolerant: Bool
    private let state = Mutex(State())
    private let number = Mutex<Int?>(nil)
    private let isInterrupted = Atomic(false)

    /// - Parameters:
    ///   - isTolerant: Whether a row that cannot be read is an error in the step, instead of an
    ///     error of the step.
    ///   - wake: Called on a thread of the store when ``advance()`` has work to do, and when the
    ///     store is closed. Must return quickly.
    init<E>(
        _ query: Query<E>, isTolerant: Bool = false, _ wake: @escaping @Sendable () -> Void
    ) throws(DaybookError) {
        let types = query.types
        let runner = try query.runner()
        let watched = try query.watchedPaths()
        let all = query.includesUnsynced ? types.unsyncedQueries : types.liveQueries
        guard types.view == nil, let queries = all else {
            throw DaybookError(
                .invalidArgument,
                "The query belongs to a view of the store, which never changes. Use a query of a"
                    + " box of the store.")
        }
        self.types = types
        self.runner = runner
        self.watched = watched
        self.queries = queries
        self.wake = wake
        self.isTolerant = isTolerant
    }

    deinit { end() }

    /// Returns the result for the newest version. ``advance()`` continues from it.
    func begin() throws -> [StoredRow] {
        let (first, access) = try register()
        return try access.rows(runner.entity, first.ids)
    }

    /// Returns the result for the newest version, as a change of the result that a consumer has.
    /// ``advance()`` continues from it.
    ///
    /// - Parameters:
    ///   - old: The source of the consumer's result. If it is nil, the objects that stay count as
    ///     modified.
    ///   - shown: The ids of that result.
    func begin(insteadOf old: ResultSource?, showing shown: [UInt64]) throws -> Step {
        let (first, access) = try register()
        let difference: ResultDifference
        if let old, old.types.engine !== types.engine {
            difference = ResultDifference(replacing: shown.count, with: first.count)
        } else {
            let touches = shown.isEmpty ? nil : touches(since: old, upTo: first.sequence)
            difference = first.difference(from: shown, access, touches)
        }
        return try step(difference, to: first, access)
    }

    /// Registers for changes, and runs the query.
    private func register() throws -> (LiveQuery, QueryAccess) {
        let number = try queries.add(runner, finish: { [weak self] in self?.finish() }, wake)
        self.number.withLock { $0 = number }
        let access = access(to: try types.engine.view())
        let first = try LiveQuery(runner, over: access, watching: watched)
        queries.start(number, at: first.sequence)
        state.withLock { $0.live = first }
        return (first, access)
    }

    /// Updates the result, and returns the change; nil if there is none. Throws `.closed` if the
    /// store is closed.
    func advance() throws -> Step? {
        guard let number = number.withLock({ $0 }) else { return nil }
        return try state.withLock { state in
            if let last = state.last {
                state.last = nil
                return last
            }
            return try advance(number, &state)
        }
    }

    private func advance(_ number: Int, _ state: inout State) throws -> Step? {
        // The caller took the step before.
        if state.isReturned { state.unseen = CommitTouches() }
        state.isReturned = false
        while let due = try queries.take(number) {
            guard types.engine.isOpen else { throw StoreTypes.closed }
            if let touches = due.touches {
                state.unseen?.formUnion(touches)
            } else {
                state.unseen = nil
            }
            let access = access(to: due.view)
            guard let difference = try state.live?.advance(to: access, due.touches),
                let live = state.live
            else {
                state.unseen = CommitTouches()
                continue
            }
            let step = try step(difference, to: live, access)
            state.isReturned = true
            return step
        }
        if queries.isEnded { throw StoreTypes.closed }
        return nil
    }

    /// Computes the last step before the store closes. ``advance()`` returns it afterwards, too.
    private func finish() {
        guard let number = number.withLock({ $0 }) else { return }
        state.withLock { state in
            guard state.last == nil else { return }
            // An error ends the updates, and so does the end of the store.
            state.last = try? advance(number, &state)
        }
    }

    /// Reads the rows of a change to a new result. Cost: that of the changed objects.
    private func step(
        _ difference: ResultDifference, to new: LiveQuery, _ access: QueryAccess
    ) throws -> Step {
        let places = (difference.insertedPlaces + difference.modifiedPlaces).sorted()
        let ids = places.map { new.id(at: $0) }
        let rows =
            isTolerant
            ? try access.readableRows(runner.entity, ids)
            : try access.rows(runner.entity, ids).map { .success($0) }
        return Step(
            difference: difference,
            rows: places.indices.map { (places[$0], ids[$0], rows[$0]) })
    }

    private func access(to view: ReadView) -> QueryAccess {
        let access = QueryAccess(
            view, types.engine.schemas, events: types.engine.events)
        access.isCancelled = { [weak self] in
            self?.isInterrupted.load(ordering: .relaxed) ?? true
        }
        return access
    }

    /// Interrupts reads: ``begin()`` and ``advance()`` soon throw `.interrupted`.
    func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

    /// Interrupts reads, and wakes the consumer, which has another query now.
    func abandon() {
        interrupt()
        wake()
    }

    /// Notes that the consumer has the last step.
    func confirm() { state.withLock { $0.unseen = CommitTouches() } }

    /// The objects and links that were touched between the result that the consumer has and a later
    /// version. It may contain others, too. Nil if they are unknown.
    func touches(upTo last: UInt64) -> CommitTouches? {
        guard let number = number.withLock({ $0 }), let due = queries.touches(number),
            var touches = state.withLock({ $0.unseen })
        else { return nil }
        touches.formUnion(due.touches)
        guard due.sequence < last else { return touches }
        let isComplete = try? types.engine.addTouches(after: due.sequence, to: last, &touches)
        return isComplete ?? false ? touches : nil
    }

    /// Interrupts reads and unregisters from the store.
    func end() {
        interrupt()
        let number = number.withLock { number in
            defer { number = nil }
            return number
        }
        if let number { queries.remove(number) }
    }
}

extension ResultSource {
    /// The objects and links that were touched between the result of another source and a version;
    /// nil if they are unknown.
    private func touches(since old: ResultSource?, upTo last: UInt64) -> CommitTouches? {
        // The objects have the values of properties that were not watched from an older version.
        guard let old, old.watched == watched else { return nil }
        return old.touches(upTo: last)
    }
}

extension Engine {
    /// The number of commits that are read for the difference between two results.
    private static let touchCountMax = 1000

    /// Adds the objects and links that the commits of a range touched. Returns false if there are
    /// too many commits.
    fileprivate func addTouches(
        after first: UInt64, to last: UInt64, _ touches: inout CommitTouches
    ) throws(DaybookError) -> Bool {
        var reader = try ChangeReader(self, after: first, includesUnsynced: true, hasEvents: false)
        for _ in 0..<Self.touchCountMax {
            guard reader.sequence < last, let commit = try reader.next() else { break }
            touches.add(commit)
        }
        return reader.sequence >= last
    }
}

extension QueryAccess {
    /// Returns the rows of objects. Throws `.corruption` if one has none.
    fileprivate func rows(_ entity: UInt32, _ ids: [UInt64]) throws -> [StoredRow] {
        let rows = try scope.rows(entity, ids)
        guard rows.count == ids.count else { throw Self.missing(entity) }
        return rows
    }

    /// Returns the rows of objects; for a row that cannot be read, the error.
    fileprivate func readableRows(
        _ entity: UInt32, _ ids: [UInt64]
    ) throws -> [Result<StoredRow, DaybookError>] {
        do {
            return try rows(entity, ids).map { .success($0) }
        } catch DaybookError.Code.corruption {
            return try ids.map { id in
                do {
                    guard let row = try scope.row(entity, id) else { throw Self.missing(entity) }
                    return .success(row)
                } catch let error as DaybookError where error.code == .corruption {
                    return .failure(error)
                }
            }
        }
    }

    private static func missing(_ entity: UInt32) -> DaybookError {
        DaybookError(
            .corruption,
            "An object of entity \(entity) in a query's result has no row. Run 'daybook verify' on"
                + " the store.", details: ["entity": String(entity)])
    }
}
