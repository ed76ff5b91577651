import DaybookBytes
public import Observation

/// The objects that a view fetches from a store: the state behind the property wrapper `Fetch`.
///
/// A view declares a query for a box. The store arrives later, and both may change whenever the
/// view is evaluated: ``update(store:query:)`` takes them. The object is observable, like the
/// ``LiveResults`` that it contains.
@MainActor
public final class FetchedResults<E: Entity> {
    private nonisolated let registrar = ObservationRegistrar()
    private let firstResult: FirstResult
    private var live: LiveResults<E>?
    /// The query of the last update.
    private var declared: Query<E>?

    /// Creates the state of a view that has no store yet. Reads nothing.
    ///
    /// - Parameter firstResult: Whether the first access of ``objects`` waits for the result.
    public nonisolated init(firstResult: FirstResult = .inBackground) {
        self.firstResult = firstResult
    }

    /// The result in the query's order. Empty without a store, and until the query has run for the
    /// first time.
    public var objects: [E] { results?.objects ?? [] }

    /// The error of the last run of the query; `.invalidArgument` if there is no store.
    public var error: (any Error)? {
        guard let results else {
            return DaybookError(
                .invalidArgument,
                "The view fetches \(E.self) without a store. Set the store of an enclosing view"
                    + " with daybookStore(_:).")
        }
        return results.error
    }

    /// The results of the query, with the last change, the objects that cannot be decoded, and the
    /// query itself, which can be exchanged; nil without a store.
    public var results: LiveResults<E>? {
        registrar.access(self, keyPath: \.results)
        return live
    }

    /// Takes the store and the query of the view. If they are the ones of the last update, nothing
    /// happens. Otherwise the query is exchanged in place: ``objects`` is the result of the query
    /// before until the new one has run.
    ///
    /// The query that ``LiveResults/query`` was set to remains until the declared one changes.
    public func update(store: Store?, query: (Box<E>) -> Query<E>) {
        guard let store else { return replace(nil, nil) }
        let query = query(store.box(for: E.self))
        if let declared, query.isSame(as: declared) { return }
        guard let live else { return replace(query.live(firstResult: firstResult), query) }
        declared = query
        live.query = query
    }

    private func replace(_ results: LiveResults<E>?, _ query: Query<E>?) {
        declared = query
        guard live !== results else { return }
        registrar.withMutation(of: self, keyPath: \.results) { live = results }
    }
}

extension FetchedResults: @MainActor Observable {}

extension Query {
    /// Whether another query finds the same objects of the same store, and reports the same
    /// changes. The objects that are read ahead are not compared: they do not change the result.
    func isSame(as other: Query) -> Bool {
        let (one, two) = (detached, other.detached)
        let watches = (try? watchedPaths(), try? other.watchedPaths())
        return types.engine === other.types.engine && types.view === other.types.view
            && one.definition == two.definition
            && one.failure?.message == two.failure?.message
            && includesUnsynced == other.includesUnsynced && watches.0 == watches.1
    }
}
