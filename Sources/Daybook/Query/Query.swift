import DaybookBytes
import DaybookEngine
import DaybookQuery

/// A query for objects of a box: a condition, an order, and a range. A query is a value that reads
/// nothing until it is run, and can be run several times.
///
/// ```swift
/// let adults = try box.query { $0.age >= 18 }.ordered(by: \.name).build()
/// for person in try adults.limit(10).find() { … }
/// ```
///
/// A query can be kept, modified by methods that return another query, and used from several
/// threads at once. Each run reads one version: the transaction's state inside a write transaction,
/// the view's version for a query of a ``ViewBox``, and otherwise the newest version.
///
/// All methods that run a query throw `.invalidArgument` for an invalid condition, order or number,
/// before anything is read; `.entityNotRegistered`; `.closed`; and `.corruption`. The asynchronous
/// methods throw `CancellationError` if their task is cancelled. A blocking method ignores the
/// cancellation of the task in which it runs.
public struct Query<E: Entity>: Sendable {
    /// The types of the store or view.
    let types: StoreTypes
    private(set) var definition: QueryDefinition
    /// The error that makes the query invalid.
    private(set) var failure: DaybookError?
    /// The prepared query, with resolved names.
    private var prepared: QueryRunner?
    private(set) var included: [IncludedPath<E>] = []
    /// The properties whose modifications are reported; nil for all.
    var watched: [PropertyPath]?
    private var watchFailure: DaybookError?
    /// Whether updates include commits that are not durable yet.
    var includesUnsynced = false
    /// The parameters that were set in place.
    private var inPlace = ParametersInPlace<E>()
    /// Whether a parameter of several conditions is the first one's.
    private(set) var takesFirstParameter = false

    init(_ types: StoreTypes, _ condition: Condition<E>) {
        self.types = types[E.self].map { types.owned(by: $0) } ?? types
        definition = QueryDefinition(condition.combined.content)
        failure = condition.combined.failure
    }

    func binding() throws(DaybookError) -> EntityBinding { try types.binding(of: E.self) }

    /// Returns the query in the form that the query engine runs.
    func runner() throws(DaybookError) -> QueryRunner {
        if let current = try inPlace.query() { return try current.runner() }
        if let prepared { return prepared }
        if let failure { throw failure }
        return try QueryRunner(
            definition, of: try binding().entity, in: try types.names.model())
    }

    /// Returns the query of a part of its objects, in addition to its own offset and limit. Throws
    /// `.invalidArgument` for a negative number.
    package func part(offset: Int, limit: Int) throws -> Query {
        var query = self
        query.prepared = try runner(offset: offset, limit: limit)
        query.inPlace = ParametersInPlace()
        return query
    }

    /// Returns the runner with an additional offset and limit.
    private func runner(offset: Int, limit: Int) throws(DaybookError) -> QueryRunner {
        let runner = try runner()
        guard offset != 0 || limit != .max else { return runner }
        guard offset >= 0, limit >= 0 else {
            throw DaybookError(
                .invalidArgument,
                "The offset \(offset) or the limit \(limit) is negative. Use numbers that are not"
                    + " negative.",
                details: ["offset": String(offset), "limit": String(limit)])
        }
        let (start, isOver) = runner.definition.offset.addingReportingOverflow(offset)
        guard !isOver else {
            throw DaybookError(
                .invalidArgument,
                "The offset \(offset) in addition to the query's offset"
                    + " \(runner.definition.offset) is too large. Use a smaller offset.",
                details: ["offset": String(offset)])
        }
        let rest = runner.definition.limit.map { Swift.max(0, $0 - offset) }
        let count = limit == .max ? rest : Swift.min(limit, rest ?? limit)
        return try runner.with(offset: start, limit: count)
    }

    /// Returns the query checked and with resolved names, so that an error is found at once, and
    /// each run starts faster. A query can also be run without it: the first run then finds the
    /// errors.
    ///
    /// - Throws: `.invalidArgument` for an invalid condition, order or number;
    ///   `.entityNotRegistered`.
    public func build() throws -> Query {
        var query = detached
        query.prepared = nil
        let runner = try query.runner()
        // Not kept for a read-only store: the writer may change the schema, and with it the meaning
        // of the names.
        if try !binding().isFollowing { query.prepared = runner }
        return query
    }

    /// Returns a query with a changed definition. An error makes the query invalid.
    func changed(
        _ change: (inout QueryDefinition) throws(DaybookError) -> Void
    ) -> Query {
        var query = detached
        query.prepared = nil
        do throws(DaybookError) {
            try change(&query.definition)
        } catch {
            query.failure = query.failure ?? error
        }
        return query
    }

    /// Returns the query with another condition. A prepared query is prepared again.
    func with(condition: QueryCondition) throws(DaybookError) -> Query {
        var query = self
        query.definition.condition = condition
        query.prepared = nil
        query.takesFirstParameter = false
        let runner = try query.runner()
        if prepared != nil { query.prepared = runner }
        return query
    }

    /// The query with the parameters that were set in place. Its own parameters can be set without
    /// an effect on other queries.
    var detached: Query {
        var query = self
        query.inPlace = ParametersInPlace()
        do throws(DaybookError) {
            if let current = try inPlace.query() {
                (query.definition, query.prepared) = (current.definition, current.prepared)
            }
        } catch {
            query.failure = query.failure ?? error
        }
        return query
    }

    /// Sets a parameter in place: for this query, its copies, and the property queries and groups
    /// made from it. Of several conditions with the name, the first one changes.
    ///
    /// If `setting` throws, each further run throws the error, until the same parameter is set
    /// without one.
    func setInPlace(_ name: String, _ setting: (Query) throws -> Query) {
        inPlace.set(name) { current in
            var query = current ?? self
            query.inPlace = ParametersInPlace()
            query.takesFirstParameter = true
            return try setting(query)
        }
    }

    /// Adds a property whose modifications are reported.
    func watching(_ term: PropertyTerm) -> Query {
        var query = self
        do throws(DaybookError) {
            let path = try term.path(for: "What is watched")
            guard term.enclosing.isEmpty else {
                throw DaybookError(
                    .invalidArgument,
                    "Changes of '\(path)' cannot be reported, because it is a property of other"
                        + " objects. Name properties of \(E.self) itself.")
            }
            query.watched = (watched ?? []) + [path]
        } catch {
            query.watchFailure = watchFailure ?? error
        }
        return query
    }

    /// The properties whose modifications are reported; nil for all.
    func watchedPaths() throws(DaybookError) -> [PropertyPath]? {
        if let watchFailure { throw watchFailure }
        return watched
    }

    /// Adds relations whose objects are loaded together with the result.
    func including(paths: [IncludedPath<E>]) -> Query {
        var query = self
        query.included += paths
        return query
    }
}

extension Query: CustomDebugStringConvertible {
    /// A description of the condition with its values, the order, and the range.
    public var debugDescription: String {
        let (definition, failure) = (detached.definition, detached.failure)
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
