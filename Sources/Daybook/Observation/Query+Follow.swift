import DaybookBytes
import DaybookEngine
import DaybookQuery
import Dispatch
import Synchronization

/// An event of a query that is followed on a dispatch queue.
enum ResultEvent: Sendable {
    case began([StoredRow])
    case changed(ResultSource.Step)
}

extension Query {
    /// Calls `handler` on a dispatch queue with the result, and after that with each change of the
    /// result, until the subscription is deallocated. The result is updated on another thread, and
    /// only after the handler has returned. Commits that arrive during a call are combined into one
    /// change.
    ///
    /// - Parameter failed: Called on the same queue with the error that ends the subscription,
    ///   which may be an error of `handler`.
    func follow(
        on dispatchQueue: DispatchQueue,
        _ handler: @escaping @Sendable (ResultEvent) throws -> Void,
        failed: @escaping @Sendable (any Error) -> Void
    ) -> Subscription {
        let subscription = Subscription()
        do {
            guard types.view != nil || types.engine.isOpen else { throw StoreTypes.closed }
            let follower = ResultFollower(subscription, dispatchQueue, handler, failed)
            let source = try ResultSource(self) { [weak follower] in follower?.goOn() }
            follower.begin(source)
            subscription.onEnd { follower.end() }
        } catch {
            subscription.fail(.wrapping(error))
            dispatchQueue.async { [weak subscription] in
                if subscription?.isActive ?? false { failed(error) }
            }
        }
        return subscription
    }
}

/// Updates one result on a queue of its own, and reports the changes one by one on another queue.
private final class ResultFollower: Sendable {
    private struct State {
        var source: ResultSource?
        /// Whether a step is computed or reported. The next step begins afterwards.
        var isBusy = true
        /// Whether another step may be needed after the current one.
        var isDue = false
    }

    private let work = DispatchQueue(label: "daybook.observer")
    private let dispatchQueue: DispatchQueue
    private let handler: @Sendable (ResultEvent) throws -> Void
    private let failed: @Sendable (any Error) -> Void
    private let state = Mutex(State())
    /// A weak reference: the subscriber owns the subscription.
    private let subscription: @Sendable () -> Subscription?

    init(
        _ subscription: Subscription, _ dispatchQueue: DispatchQueue,
        _ handler: @escaping @Sendable (ResultEvent) throws -> Void,
        _ failed: @escaping @Sendable (any Error) -> Void
    ) {
        self.dispatchQueue = dispatchQueue
        self.handler = handler
        self.failed = failed
        self.subscription = { [weak subscription] in subscription }
    }

    private var isActive: Bool { subscription()?.isActive ?? false }

    func begin(_ source: ResultSource) {
        state.withLock { $0.source = source }
        work.async { self.run { .began(try $0.begin()) } }
    }

    /// Starts a step, or schedules one after the current step.
    func goOn() {
        let isIdle = state.withLock { state in
            state.isDue = state.isBusy
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if isIdle { makeStep() }
    }

    /// Unregisters from the store.
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

    /// Ends a step, and starts the next one if it is needed.
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
        guard let subscription = subscription(), subscription.isActive else { return }
        if let error = error as? DaybookError, error.code == .closed {
            // The store is closed: there are no more changes. Also releases the handler.
            subscription.finish()
        } else {
            subscription.fail(.wrapping(error))
            failed(error)
        }
    }
}
