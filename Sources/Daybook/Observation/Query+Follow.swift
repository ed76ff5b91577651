import DaybookBytes
import DaybookEngine
import DaybookQuery
import Dispatch
import Synchronization

/// What somebody who follows a query on a queue is told.
enum ResultEvent: Sendable {
    case began([StoredRow])
    case changed(ResultSource.Step)
}

extension Query {
    /// Tells `handler` on a queue of the result, and of what becomes of it, until the observer is
    /// let go. The query is brought up to date on another thread, and not before the handler has
    /// returned: so who is slow is told of many commits at once.
    ///
    /// - Parameter failed: told on the same queue why nothing more will come: also what `handler`
    ///   throws.
    func follow(
        on dispatchQueue: DispatchQueue,
        _ handler: @escaping @Sendable (ResultEvent) throws -> Void,
        failed: @escaping @Sendable (any Error) -> Void
    ) -> Observer {
        let observer = Observer()
        do {
            guard types.view != nil || types.engine.isOpen else { throw StoreTypes.closed }
            let follower = ResultFollower(observer, dispatchQueue, handler, failed)
            let source = try ResultSource(types, try runner(), watching: try watchedPaths()) {
                [weak follower] in follower?.goOn()
            }
            follower.begin(source)
            observer.onEnd { follower.end() }
        } catch {
            observer.fail(.wrapping(error))
            dispatchQueue.async { [weak observer] in
                if observer?.isActive ?? false { failed(error) }
            }
        }
        return observer
    }
}

/// Brings one result up to date on a queue of its own, and tells of it on another, step by step.
private final class ResultFollower: Sendable {
    private struct State {
        var source: ResultSource?
        /// Whether a step is being made or told: the next one waits for that.
        var isBusy = true
        /// Whether there may be more than that step.
        var isDue = false
    }

    private let work = DispatchQueue(label: "daybook.observer")
    private let dispatchQueue: DispatchQueue
    private let handler: @Sendable (ResultEvent) throws -> Void
    private let failed: @Sendable (any Error) -> Void
    private let state = Mutex(State())
    /// Held weakly: it lives as long as whoever subscribed likes.
    private let observer: @Sendable () -> Observer?

    init(
        _ observer: Observer, _ dispatchQueue: DispatchQueue,
        _ handler: @escaping @Sendable (ResultEvent) throws -> Void,
        _ failed: @escaping @Sendable (any Error) -> Void
    ) {
        self.dispatchQueue = dispatchQueue
        self.handler = handler
        self.failed = failed
        self.observer = { [weak observer] in observer }
    }

    private var isActive: Bool { observer()?.isActive ?? false }

    func begin(_ source: ResultSource) {
        state.withLock { $0.source = source }
        work.async { self.run { .began(try $0.begin()) } }
    }

    /// There may be something to tell.
    func goOn() {
        let isIdle = state.withLock { state in
            state.isDue = state.isBusy
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if isIdle { makeStep() }
    }

    /// Listens no longer.
    func end() {
        let source = state.withLock { state in
            defer { state.source = nil }
            return state.source
        }
        source?.end()
    }

    private func makeStep() {
        work.async { self.run { try $0.advance().map { .changed($0) } } }
    }

    /// A step is over.
    private func rest() {
        let isDue = state.withLock { state in
            state.isBusy = state.isDue
            state.isDue = false
            return state.isBusy
        }
        if isDue { makeStep() }
    }

    private func run(_ step: (ResultSource) throws -> ResultEvent?) {
        guard isActive, let source = state.withLock({ $0.source }) else { return }
        do {
            guard let event = try step(source) else { return rest() }
            dispatchQueue.async { self.tell(event) }
        } catch {
            dispatchQueue.async { self.fail(error) }
        }
    }

    private func tell(_ event: ResultEvent) {
        guard isActive else { return }
        do {
            try handler(event)
            rest()
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: any Error) {
        guard let observer = observer(), observer.isActive else { return }
        if let error = error as? DaybookError, error.code == .closed {
            // The store has ended: nothing more will come.
            end()
        } else {
            observer.fail(.wrapping(error))
            failed(error)
        }
    }
}
