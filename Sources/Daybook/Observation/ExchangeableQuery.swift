import DaybookBytes
import Synchronization

/// A query that is exchanged while its result is followed, for example when the user types a search
/// text, chooses another order, or scrolls to a longer list.
///
/// ```swift
/// let search = ExchangeableQuery(people.query().ordered(by: \.name).limit(50))
/// let task = Task { for try await update in search.updates() { show(update) } }
///
/// search.query = people.query { $0.name.startsWith(text) }.ordered(by: \.name).limit(50)
/// ```
///
/// The sequences of ``updates()`` continue with the new query. Any thread may exchange the query.
public final class ExchangeableQuery<E: Entity>: Sendable {
    /// A source of results of one of the queries.
    private struct Follower {
        weak var source: ResultSource?
    }

    private struct State {
        var query: Query<E>
        /// The number of exchanges.
        var number = 0
        var followers: [Follower] = []
    }

    private let state: Mutex<State>

    /// Creates a query that can be exchanged, and that begins as `query`.
    public init(_ query: Query<E>) { state = Mutex(State(query: query)) }

    /// The current query. Setting it exchanges the query of all sequences of ``updates()``.
    ///
    /// A sequence that has yielded a result runs the new query once, in the background, and yields
    /// the difference from the yielded result to the new one as a ``ChangeSet``, which is empty if
    /// they are equal. Iterators that begin later begin with the new query. A result of an older
    /// query never arrives after the exchange, and its evaluation is cancelled. If the query is
    /// exchanged again meanwhile, only the result of the last query arrives. An invalid query ends
    /// the sequences with its error.
    ///
    /// Setting it never waits for a query.
    public var query: Query<E> {
        get { current.query }
        set {
            let outdated = state.withLock { state in
                defer { state.followers = [] }
                state.query = newValue
                state.number += 1
                return state.followers
            }
            for follower in outdated { follower.source?.abandon() }
        }
    }

    /// The results of the current query: see ``Query/updates()``. The sequence follows exchanges.
    public func updates() -> QueryUpdates<E> { QueryUpdates(queries: self, form: .objects) }

    /// The results as projections. The query must watch their properties.
    func projected<P: EntityProjection>(as type: P.Type) -> ProjectionUpdates<P>
    where P.Root == E {
        ProjectionUpdates(queries: self, form: .projections)
    }

    /// The current query, and the number of exchanges before it.
    var current: (query: Query<E>, number: Int) { state.withLock { ($0.query, $0.number) } }

    /// Whether a query with this number of exchanges before it is the current one.
    func isCurrent(_ number: Int) -> Bool { state.withLock { $0.number == number } }

    /// Abandons a source of results when its query is exchanged; at once if it was exchanged.
    func follow(_ source: ResultSource, _ number: Int) {
        let isCurrent = state.withLock { state in
            guard state.number == number else { return false }
            state.followers.removeAll { $0.source == nil }
            state.followers.append(Follower(source: source))
            return true
        }
        if !isCurrent { source.abandon() }
    }
}
