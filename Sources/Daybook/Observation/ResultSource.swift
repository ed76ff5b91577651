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
        /// The rows with their positions in the new result, ascending.
        var rows: [(place: Int, row: StoredRow)]
    }

    private let types: StoreTypes
    private let runner: QueryRunner
    private let watched: [PropertyPath]?
    private let queries: LiveQueries
    private let wake: @Sendable () -> Void
    private let live = Mutex<LiveQuery?>(nil)
    private let number = Mutex<Int?>(nil)
    private let isInterrupted = Atomic(false)

    /// - Parameter wake: Called on a thread of the store when ``advance()`` has work to do, and
    ///   when the store is closed. Must return quickly.
    init<E>(_ query: Query<E>, _ wake: @escaping @Sendable () -> Void) throws(DaybookError) {
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
    }

    deinit { end() }

    /// Returns the result for the newest version. ``advance()`` continues from it.
    func begin() throws -> [StoredRow] {
        let number = try queries.add(runner, wake)
        self.number.withLock { $0 = number }
        let access = access(to: try types.engine.view())
        let first = try LiveQuery(runner, over: access, watching: watched)
        queries.start(number, at: first.sequence)
        live.withLock { $0 = first }
        return try rows(first.ids, access)
    }

    /// Updates the result, and returns the change; nil if there is none. Throws `.closed` if the
    /// store is closed.
    func advance() throws -> Step? {
        guard let number = number.withLock({ $0 }) else { return nil }
        return try live.withLock { live in
            while let due = try queries.take(number) {
                guard types.engine.isOpen else { throw StoreTypes.closed }
                let access = access(to: due.view)
                let old = live?.ids ?? []
                guard let difference = try live?.advance(to: access, due.touches) else { continue }
                return try step(difference, from: old, to: live?.ids ?? [], access)
            }
            if queries.isEnded { throw StoreTypes.closed }
            return nil
        }
    }

    private func step(
        _ difference: ResultDifference, from old: [UInt64], to new: [UInt64],
        _ access: QueryAccess
    ) throws -> Step {
        var places = difference.insertions + difference.moves.map(\.to)
        if !difference.modifications.isEmpty {
            let modified = Set(difference.modifications.map { old[$0] })
            places += new.indices.filter { modified.contains(new[$0]) }
        }
        places.sort()
        let rows = try rows(places.map { new[$0] }, access)
        return Step(difference: difference, rows: Array(zip(places, rows)))
    }

    /// Returns the rows of objects. Throws `.corruption` if one has none.
    private func rows(_ ids: [UInt64], _ access: QueryAccess) throws -> [StoredRow] {
        let rows = try access.scope.rows(runner.entity, ids)
        guard rows.count == ids.count else { throw Self.missing(runner.entity) }
        return rows
    }

    private func access(to view: ReadView) -> QueryAccess {
        let access = QueryAccess(view, types.engine.schemas)
        access.isCancelled = { [weak self] in
            self?.isInterrupted.load(ordering: .relaxed) ?? true
        }
        return access
    }

    /// Interrupts reads: ``begin()`` and ``advance()`` soon throw `.interrupted`.
    func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

    /// Interrupts reads and unregisters from the store.
    func end() {
        interrupt()
        let number = number.withLock { number in
            defer { number = nil }
            return number
        }
        if let number { queries.remove(number) }
    }

    private static func missing(_ entity: UInt32) -> DaybookError {
        DaybookError(
            .corruption,
            "An object of entity \(entity) in a query's result has no row. Run 'daybook verify' on"
                + " the store.", details: ["entity": String(entity)])
    }
}
