public import Observation

/// The result of a query that is always up to date, for views: see ``Query/live()``.
///
/// It is observable: who reads ``objects`` in a view, or in `withObservationTracking`, is told when
/// they change. It belongs to the main actor, where its objects are made, and follows the query
/// until it is let go.
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

    /// The result, in the query's order; empty until the query has run for the first time.
    public var objects: [E] {
        registrar.access(self, keyPath: \.objects)
        return result
    }

    /// What became of the result when it last changed; nil until then. For lists that animate.
    public var lastChange: ChangeSet<E>? {
        registrar.access(self, keyPath: \.lastChange)
        return changes
    }

    /// Whether the query has run: until then ``objects`` is empty.
    public var isLoaded: Bool {
        registrar.access(self, keyPath: \.isLoaded)
        return hasBegun
    }

    /// Why the result is not followed any more, such as a query that makes no sense, or damage;
    /// nil where all is well. A store that is closed leaves the result as it was, and is no error.
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

/// Ends a task when it is let go.
@MainActor
private final class TaskHolder {
    var task: Task<Void, Never>?

    nonisolated init() {}

    isolated deinit { task?.cancel() }
}

extension Query {
    /// The result of the query, which follows the store from now on: for views of the main actor.
    ///
    /// It is empty until the query has run in the background for the first time. Never throws:
    /// what is wrong is in ``LiveResults/error``. Cost: as ``updates()``.
    @MainActor
    public func live() -> LiveResults<E> { LiveResults(updates()) }
}

extension Box {
    /// All objects, in the order of ids, which follow the store from now on: as ``Query/live()``.
    @MainActor
    public func live() -> LiveResults<E> { LiveResults(updates()) }
}
