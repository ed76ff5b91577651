import DaybookBytes
import DaybookEngine
import DaybookQuery
import Synchronization

/// The result of a query, kept up to date as rows: objects are made by whoever wants them.
///
/// It listens from ``begin()`` on until it is let go.
final class ResultSource: Sendable {
    /// What became of the result, with the rows that have to be read anew.
    struct Step: Sendable {
        var difference: ResultDifference
        /// Places in the new result, ascending, each with its row.
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

    /// - Parameter wake: called on a thread of the store's when ``advance()`` has something to do,
    ///   and when the store is closed; be brief.
    init(
        _ types: StoreTypes, _ runner: QueryRunner, watching watched: [PropertyPath]?,
        _ wake: @escaping @Sendable () -> Void
    ) throws(DaybookError) {
        guard types.view == nil, let queries = types.liveQueries else {
            throw DaybookError(
                .invalidArgument,
                "The query is of one version of the store, which never changes. Ask a box of the"
                    + " store.")
        }
        self.types = types
        self.runner = runner
        self.watched = watched
        self.queries = queries
        self.wake = wake
    }

    deinit { end() }

    /// The result of the newest version, from which ``advance()`` goes on.
    func begin() throws -> [StoredRow] {
        let number = try queries.add(runner, wake)
        self.number.withLock { $0 = number }
        let access = access(to: try types.engine.view())
        let first = try LiveQuery(runner, over: access, watching: watched)
        queries.start(number, at: first.sequence)
        live.withLock { $0 = first }
        return try rows(first.ids, access)
    }

    /// Brings the result up to date; nil where it is already. Ends with `.closed` where the store
    /// is closed.
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

    /// The rows of objects, each of which has one.
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

    /// Whoever reads has had enough: ``begin()`` and ``advance()`` throw `.interrupted` soon.
    func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

    /// Listens no longer.
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
            "An object of entity \(entity) that a query finds has no row. Run 'daybook verify' on"
                + " the store.", details: ["entity": String(entity)])
    }
}
