/// A handler of a store's events, for logs and metrics: ``StoreOptions/observers``.
///
/// ```swift
/// var options = StoreOptions()
/// options.observers = [StoreObserver { event in print(event.level, event) }]
/// ```
///
/// The handler is called on a queue of the store, one event after another, in the order in which
/// the events occurred. No lock is held, and no commit or query waits for it. So it may use the
/// store: it may read, write, and close it. A handler that keeps the store must keep it weakly.
///
/// Closing a store waits until the handlers have received all events, except in a handler. So a
/// handler must not wait for the thread that closes the store. If handlers are slower than the
/// store, at most 8,192 events wait. Then measurements are dropped, and at twice that number other
/// events, and ``StoreEvent/eventsDropped(count:)`` has their number.
public struct StoreObserver: Sendable {
    /// Whether the observer receives each commit, each sync and each query, and the state of the
    /// store at intervals: see ``StoreEvent/isMeasurement``. This costs about a microsecond for
    /// each.
    public let isMeasuring: Bool
    let handle: @Sendable (StoreEvent) -> Void

    /// Creates an observer. `isMeasuring` is false by default.
    public init(isMeasuring: Bool = false, _ handle: @escaping @Sendable (StoreEvent) -> Void) {
        self.isMeasuring = isMeasuring
        self.handle = handle
    }
}
