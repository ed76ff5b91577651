public import Observation

/// When a ``LiveResults`` has its first result.
public enum FirstResult: Sendable {
    /// The query runs on a thread of the store. Until it has run, there are no objects.
    case inBackground
    /// The query runs on the main thread at the first access, which waits for it. For queries that
    /// find few objects with an index, so that a view never appears without its objects.
    case immediate
}

/// The current result of a query, for views: see ``Query/live(firstResult:)``.
///
/// The object is observable: a view, or a call of `withObservationTracking`, that reads ``objects``
/// is notified when they change. It is isolated to the main actor, where its objects are decoded.
///
/// It reads nothing until one of its properties is read, so a view may create one each time that it
/// is initialised. From then on it follows the query until it is deallocated.
///
/// An object that cannot be decoded is in ``unreadable``; the others are in ``objects``. Any other
/// error is in ``error``, and the objects stay. The query runs again after the next commit that
/// changes the entity, unless the query itself is invalid, and in any case after ``retry()`` and
/// after an exchange of ``query``.
@MainActor
public final class LiveResults<E: Entity> {
    private nonisolated let registrar = ObservationRegistrar()
    private let queries: ExchangeableQuery<E>
    private let firstResult: FirstResult
    private let task = TaskHolder()
    private var retries: LiveRetries?
    private var result: [E] = []
    private var changes: ChangeSet<E>?
    private var failures: [UnreadableObject] = []
    private var failure: (any Error)?
    private var hasBegun = false
    private var isOutdated = false

    init(_ query: Query<E>, _ firstResult: FirstResult) {
        queries = ExchangeableQuery(query)
        self.firstResult = firstResult
    }

    /// The result in the query's order, without the ``unreadable`` objects. Empty until the query
    /// has run for the first time.
    public var objects: [E] {
        access(\.objects)
        return result
    }

    /// The last change of ``objects``, for animated lists. Nil until they change.
    public var lastChange: ChangeSet<E>? {
        access(\.lastChange)
        return changes
    }

    /// The objects of the result that cannot be decoded, in the query's order.
    public var unreadable: [UnreadableObject] {
        access(\.unreadable)
        return failures
    }

    /// Whether the query has run for the first time. Until then, ``objects`` is empty.
    public var isLoaded: Bool {
        access(\.isLoaded)
        return hasBegun
    }

    /// Whether ``query`` was exchanged, and ``objects`` is still the result of the query before.
    public var isExchanging: Bool {
        access(\.isExchanging)
        return isOutdated
    }

    /// The error of the last run of the query, such as an invalid query or a damaged store; nil if
    /// it succeeded. Closing the store ends the updates, keeps the result, and is not an error.
    public var error: (any Error)? {
        access(\.error)
        return failure
    }

    /// The query. Setting it exchanges the query in place: ``objects`` is the result of the query
    /// before until the new one has run, and ``lastChange`` is then the difference. See
    /// ``ExchangeableQuery/query``. Reading it does not run the query.
    public var query: Query<E> {
        get {
            registrar.access(self, keyPath: \.query)
            return queries.query
        }
        set {
            registrar.withMutation(of: self, keyPath: \.query) { queries.query = newValue }
            guard retries != nil else { return }
            set(\.isExchanging, \.isOutdated, true)
            retries?.wake()
        }
    }

    /// Runs the query again after an error. No effect if there is no ``error``.
    public func retry() {
        if failure != nil { retries?.wake() }
    }

    private func access<Member>(_ member: KeyPath<LiveResults, Member>) {
        start()
        registrar.access(self, keyPath: member)
    }

    private func set<Member, Stored>(
        _ member: KeyPath<LiveResults, Member>,
        _ stored: ReferenceWritableKeyPath<LiveResults, Stored>, _ value: Stored
    ) {
        registrar.withMutation(of: self, keyPath: member) { self[keyPath: stored] = value }
    }

    private func start() {
        guard retries == nil else { return }
        let retries = LiveRetries()
        self.retries = retries
        var first = ChangeIterator(ResultSteps(queries, .objects, isTolerant: true))
        if firstResult == .immediate {
            // Nobody has observed a property yet.
            do {
                result = try first.begin { try $0.beginHere($1) }.objects
                failures = first.steps.unreadable
                hasBegun = true
            } catch {
                failure = error
            }
        }
        follow(first, retries)
    }

    private func follow(_ first: ChangeIterator<ResultSteps<E, E>>, _ retries: LiveRetries) {
        task.task = Task { [weak self, queries] in
            var iterator = first
            while true {
                do {
                    while let update = try await iterator.next(isolation: #isolation) {
                        guard let self else { return }
                        retries.forget()
                        self.take(update, iterator.steps.unreadable)
                    }
                    self?.finish()
                    return
                } catch {
                    self?.take(error)
                    guard await retries.wait(after: error, of: queries.query) else { return }
                    // Continues from the result that is shown.
                    iterator = ChangeIterator(iterator.steps)
                }
            }
        }
    }

    private func take(_ update: QueryUpdate<E>, _ unreadable: [UnreadableObject]) {
        set(\.objects, \.result, update.objects)
        if case .update(let changes) = update { set(\.lastChange, \.changes, changes) }
        if !(failures.isEmpty && unreadable.isEmpty) { set(\.unreadable, \.failures, unreadable) }
        if !hasBegun { set(\.isLoaded, \.hasBegun, true) }
        if failure != nil { set(\.error, \.failure, nil) }
        finish()
    }

    private func take(_ error: any Error) {
        set(\.error, \.failure, error)
        finish()
    }

    /// Ends the exchange of the query.
    private func finish() {
        if isOutdated { set(\.isExchanging, \.isOutdated, false) }
    }
}

extension LiveResults: @MainActor Observable {}

extension Query {
    /// Returns an observable object with the current result of the query, for views on the main
    /// actor.
    ///
    /// Reads nothing: the query runs when a property of the object is read for the first time.
    /// Never throws: errors are in ``LiveResults/error``. Cost: as for ``updates()``.
    ///
    /// - Parameter firstResult: Whether the first access of a property waits for the result. By
    ///   default, the result is empty until the query has run in the background.
    @MainActor
    public func live(firstResult: FirstResult = .inBackground) -> LiveResults<E> {
        LiveResults(self, firstResult)
    }
}

extension Box {
    /// Returns an observable object with all objects of the box in the order of ids. Same as
    /// ``Query/live(firstResult:)`` of a query for all objects.
    @MainActor
    public func live(firstResult: FirstResult = .inBackground) -> LiveResults<E> {
        query().live(firstResult: firstResult)
    }
}
