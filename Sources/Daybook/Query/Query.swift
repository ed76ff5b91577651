import DaybookBytes
import DaybookEngine
import DaybookQuery

/// Which objects of a box, in which order: a value that finds them anew each time it is asked.
///
/// ```swift
/// let adults = box.where { $0.age >= 18 }.sorted(by: \.name)
/// for person in try adults.limit(10).find() { … }
/// ```
///
/// It may be kept, changed by making another of it, and used on any thread, several at once. Each
/// call sees one version: inside a write transaction that one's state, in a ``ViewBox`` the view's,
/// else the newest. All throw `.invalidArgument` for a condition, order or number that makes no
/// sense, before anything is read; `.entityNotRegistered`; `.closed`; `.corruption`. The
/// asynchronous calls throw `CancellationError` if their task is cancelled. A blocking call ignores
/// the cancellation of the task that it runs in.
public struct Query<E: Entity>: Sendable {
    /// The store or view, and its types.
    let types: StoreTypes
    private(set) var definition: QueryDefinition
    /// Why it makes no sense.
    private(set) var failure: DaybookError?
    /// The same with its names looked up.
    private var prepared: QueryRunner?
    private(set) var included: [IncludedPath<E>] = []
    /// The properties of which listeners are told modifications; nil for all.
    private var watched: [PropertyPath]?
    private var watchFailure: DaybookError?

    init(_ types: StoreTypes, _ condition: Condition<E>) {
        self.types = types[E.self].map { types.owned(by: $0) } ?? types
        definition = QueryDefinition(condition.combined.content)
        failure = condition.combined.failure
    }

    func binding() throws(DaybookError) -> EntityBinding { try types.binding(of: E.self) }

    /// The query as the core runs it.
    func runner() throws(DaybookError) -> QueryRunner {
        if let prepared { return prepared }
        if let failure { throw failure }
        return try QueryRunner(
            definition, of: try binding().entity, in: try types.names.model())
    }

    /// The same runner with a further offset and limit.
    func runner(offset: Int, limit: Int) throws(DaybookError) -> QueryRunner {
        let runner = try runner()
        guard offset != 0 || limit != .max else { return runner }
        guard offset >= 0, limit >= 0 else {
            throw DaybookError(
                .invalidArgument,
                "An offset of \(offset) or a limit of \(limit) is negative. Give numbers that are"
                    + " not negative.",
                details: ["offset": String(offset), "limit": String(limit)])
        }
        let (start, isOver) = runner.definition.offset.addingReportingOverflow(offset)
        guard !isOver else {
            throw DaybookError(
                .invalidArgument,
                "\(offset) objects are to be left out beside \(runner.definition.offset) that the"
                    + " query leaves out: more than can be counted. Give a smaller offset.",
                details: ["offset": String(offset)])
        }
        let rest = runner.definition.limit.map { Swift.max(0, $0 - offset) }
        let count = limit == .max ? rest : Swift.min(limit, rest ?? limit)
        return try runner.with(offset: start, limit: count)
    }

    /// The same query, with everything that could be wrong with it checked, and its names looked
    /// up: it runs the sooner. Throws `.invalidArgument` and `.entityNotRegistered`.
    public func prepare() throws -> Query {
        var query = self
        query.prepared = nil
        let runner = try query.runner()
        // The writer of a store that is only read here may change what names mean.
        if try !binding().isFollowing { query.prepared = runner }
        return query
    }

    /// A query that differs in what is asked for.
    func changed(
        _ change: (inout QueryDefinition) throws(DaybookError) -> Void
    ) -> Query {
        var query = self
        query.prepared = nil
        do throws(DaybookError) {
            try change(&query.definition)
        } catch {
            query.failure = query.failure ?? error
        }
        return query
    }

    /// Replaces the condition of a query, which is prepared anew if it was.
    mutating func replaceCondition(_ condition: QueryCondition) throws(DaybookError) {
        var query = self
        query.definition.condition = condition
        let wasPrepared = prepared != nil
        query.prepared = nil
        let runner = try query.runner()
        if wasPrepared { query.prepared = runner }
        self = query
    }

    /// Adds a property of which listeners are told modifications.
    func watching(_ term: PropertyTerm) -> Query {
        var query = self
        do throws(DaybookError) {
            let path = try term.path(for: "What is watched")
            guard term.enclosing.isEmpty else {
                throw DaybookError(
                    .invalidArgument,
                    "Changes of '\(path)' are to be told, which is kept in other objects. Name"
                        + " properties of \(E.self) itself.")
            }
            query.watched = (watched ?? []) + [path]
        } catch {
            query.watchFailure = watchFailure ?? error
        }
        return query
    }

    /// The properties of which listeners are told modifications; nil for all.
    func watchedPaths() throws(DaybookError) -> [PropertyPath]? {
        if let watchFailure { throw watchFailure }
        return watched
    }

    /// Reads the objects of these relations along.
    func including(paths: [IncludedPath<E>]) -> Query {
        var query = self
        query.included += paths
        return query
    }
}

extension Query: CustomDebugStringConvertible {
    /// The condition with its values, and the rest of what is asked for.
    public var debugDescription: String {
        if let failure { return "Query<\(E.self)>(\(failure.message))" }
        var parts = ["\(E.self) where \(definition.condition)"]
        if !definition.orders.isEmpty {
            parts.append("order by \(definition.orders.map { "\($0)" }.joined(separator: ", "))")
        }
        if !definition.distinct.isEmpty {
            let paths = definition.distinct.map(\.description)
            parts.append("distinct by \(paths.joined(separator: ", "))")
        }
        if definition.offset > 0 { parts.append("offset \(definition.offset)") }
        if let limit = definition.limit { parts.append("limit \(limit)") }
        return parts.joined(separator: " ")
    }
}
