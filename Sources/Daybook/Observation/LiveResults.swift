public import Observation

/// The current result of a query, for views: see ``Query/live()``.
///
/// The object is observable: a view, or a call of `withObservationTracking`, that reads ``objects``
/// is notified when they change. It is isolated to the main actor, where its objects are decoded,
/// and follows the query until it is deallocated.
@MainActor
public final class LiveResults<E: Entity> {
    private nonisolated let registrar = ObservationRegistrar()
    private var result: [E] = []
    private var changes: ChangeSet<E>?
    private var failure: (any Error)?
    private var hasBegun = false
    private let task = TaskHolder()

    init(_ updates: QueryUpdates<E>) {
        task.task = Task { [weak self] in
            do {
                for try await update in updates {
                    guard let self else { return }
                    self.take(update)
                }
            } catch {
                self?.take(error)
            }
        }
    }

    /// The result in the query's order. Empty until the query has run for the first time.
    public var objects: [E] {
        registrar.access(self, keyPath: \.objects)
        return result
    }

    /// The last change of the result, for animated lists. Nil until the result changes.
    public var lastChange: ChangeSet<E>? {
        registrar.access(self, keyPath: \.lastChange)
        return changes
    }

    /// Whether the query has run for the first time. Until then, ``objects`` is empty.
    public var isLoaded: Bool {
        registrar.access(self, keyPath: \.isLoaded)
        return hasBegun
    }

    /// The error that ended the updates, such as an invalid query or a damaged store; nil if there
    /// was none. Closing the store also ends the updates, keeps the result, and is not an error.
    public var error: (any Error)? {
        registrar.access(self, keyPath: \.error)
        return failure
    }

    private func take(_ update: QueryUpdate<E>) {
        registrar.withMutation(of: self, keyPath: \.objects) { result = update.objects }
        if case .update(let changes) = update {
            registrar.withMutation(of: self, keyPath: \.lastChange) { self.changes = changes }
        }
        guard !hasBegun else { return }
        registrar.withMutation(of: self, keyPath: \.isLoaded) { hasBegun = true }
    }

    private func take(_ error: any Error) {
        registrar.withMutation(of: self, keyPath: \.error) { failure = error }
    }
}

extension LiveResults: @MainActor Observable {}

extension Query {
    /// Returns an observable object with the current result of the query, for views on the main
    /// actor.
    ///
    /// The result is empty until the query has run in the background for the first time. Never
    /// throws: errors are in ``LiveResults/error``. Cost: as for ``updates()``.
    @MainActor
    public func live() -> LiveResults<E> { LiveResults(updates()) }
}

extension Box {
    /// Returns an observable object with all objects of the box in the order of ids. Same as
    /// ``Query/live()`` of a query for all objects.
    @MainActor
    public func live() -> LiveResults<E> { LiveResults(updates()) }
}
