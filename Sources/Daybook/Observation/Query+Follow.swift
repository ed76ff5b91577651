import DaybookBytes
import DaybookEngine
import DaybookQuery
import Dispatch
import Synchronization

/// What somebody who follows a query on a queue is told.
enum ResultEvent: Sendable {
    case began([StoredRow])
    case changed(ResultSource.Step)
    case failed(DaybookError)
}

extension Query {
    /// Tells `handler` on a queue of the result, and of what becomes of it, until the observer is
    /// let go. The query is brought up to date on another thread.
    func follow(
        on dispatchQueue: DispatchQueue, _ handler: @escaping @Sendable (ResultEvent) -> Void
    ) -> Observer {
        let observer = Observer()
        do {
            guard types.view != nil || types.engine.isOpen else { throw StoreTypes.closed }
            let follower = ResultFollower(observer, dispatchQueue, handler)
            let source = try ResultSource(types, try runner(), watching: try watchedPaths()) {
                [weak follower] in follower?.goOn()
            }
            follower.begin(source)
            observer.onEnd { follower.end() }
        } catch {
            observer.fail(error)
            let failure = observer.error
            dispatchQueue.async { if let failure { handler(.failed(failure)) } }
        }
        return observer
    }
}

/// Brings one result up to date on a queue of its own, and tells of it on another.
private final class ResultFollower: Sendable {
    private let work = DispatchQueue(label: "daybook.observer")
    private let dispatchQueue: DispatchQueue
    private let handler: @Sendable (ResultEvent) -> Void
    private let source = Mutex<ResultSource?>(nil)
    /// Held weakly: it lives as long as whoever subscribed likes.
    private let isActive: @Sendable () -> Bool
    private let fail: @Sendable (any Error) -> Void

    init(
        _ observer: Observer, _ dispatchQueue: DispatchQueue,
        _ handler: @escaping @Sendable (ResultEvent) -> Void
    ) {
        self.dispatchQueue = dispatchQueue
        self.handler = handler
        isActive = { [weak observer] in observer?.isActive ?? false }
        fail = { [weak observer] in observer?.fail($0) }
    }

    func begin(_ source: ResultSource) {
        self.source.withLock { $0 = source }
        work.async { self.run { .began(try $0.begin()) } }
    }

    func goOn() {
        work.async { self.run { try $0.advance().map { .changed($0) } } }
    }

    /// Listens no longer.
    func end() {
        let source = source.withLock { source in
            defer { source = nil }
            return source
        }
        source?.end()
    }

    private func run(_ step: (ResultSource) throws -> ResultEvent?) {
        guard isActive(), let source = source.withLock({ $0 }) else { return }
        do {
            if let event = try step(source) { tell(event) }
        } catch let error as DaybookError where error.code == .closed {
            // The store has ended: nothing more will come.
            end()
        } catch {
            tell(.failed(error as? DaybookError ?? DaybookError(.inputOutput, "\(error)")))
            fail(error)
        }
    }

    private func tell(_ event: ResultEvent) {
        let (handler, isActive) = (handler, isActive)
        let isLast = if case .failed = event { true } else { false }
        dispatchQueue.async { if isLast || isActive() { handler(event) } }
    }
}
