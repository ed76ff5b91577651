import Synchronization

/// A subscription of a handler on a dispatch queue. It ends when this object is deallocated, or
/// with ``end()``.
///
/// `Observer` of DaybookObjectBox and `NotificationToken` of DaybookRealm contain one. Daybook
/// itself observes with ``Query/updates()``, ``Query/live(firstResult:)`` and
/// ``Store/changes(from:of:properties:whenTruncated:)``.
package final class Subscription: Sendable {
    private struct State {
        var failure: DaybookError?
        /// Whether the subscription has ended.
        var isOver = false
        var cleanup: (@Sendable () -> Void)?
        /// Whether the subscription ended because the store was closed.
        var isFinished = false
        var finishHandlers: [@Sendable () -> Void] = []

        /// Returns the cleanup, which must be called and released outside the lock.
        mutating func takeCleanup() -> (@Sendable () -> Void)? {
            defer { cleanup = nil }
            return cleanup
        }
    }

    private let state = Mutex(State())

    init() {}

    deinit { end() }

    /// The error that ended the subscription: the store was closed when it began, the query is
    /// invalid, or an object cannot be read. Nil if there was none.
    package var error: DaybookError? { state.withLock { $0.failure } }

    /// Whether the handler may still be called.
    var isActive: Bool { state.withLock { !$0.isOver } }

    /// Ends the subscription. No call of the handler begins afterwards; a call that already runs on
    /// another thread may still finish. The handler itself may call this method.
    package func end() {
        // IMPORTANT: The handlers are released outside the lock: an object in them may take it.
        let (cleanup, handlers) = state.withLock { state in
            state.isOver = true
            defer { state.finishHandlers = [] }
            return (state.takeCleanup(), state.finishHandlers)
        }
        withExtendedLifetime(handlers) {}
        cleanup?()
    }

    /// Ends the subscription because the store was closed. Must be called after the last call of
    /// the handler, on its queue.
    func finish() {
        let handlers = state.withLock { state in
            defer { state.finishHandlers = [] }
            guard !state.isOver, state.failure == nil else { return [@Sendable () -> Void]() }
            state.isFinished = true
            return state.finishHandlers
        }
        end()
        for handler in handlers { handler() }
    }

    /// Calls `handler` once after the store was closed and after the last call of the
    /// subscription's handler, on the same queue; immediately if that was before. Not called if the
    /// subscription ends for another reason.
    package func onFinish(_ handler: @escaping @Sendable () -> Void) {
        let isFinished = state.withLock { state in
            if !state.isFinished, !state.isOver, state.failure == nil {
                state.finishHandlers.append(handler)
            }
            return state.isFinished
        }
        if isFinished { handler() }
    }

    /// Sets the cleanup that runs at the end of the subscription; runs it at once if it has ended.
    func onEnd(_ cleanup: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.isOver || state.failure != nil { return true }
            state.cleanup = cleanup
            return false
        }
        if isOver { cleanup() }
    }

    /// Ends the subscription with an error. The handler may still be called with that error.
    func fail(_ error: DaybookError) {
        let cleanup = state.withLock { state in
            state.failure = state.failure ?? error
            return state.takeCleanup()
        }
        cleanup?()
    }
}

extension DaybookError {
    /// Returns the error as a `DaybookError`. An error of another type, thrown by a type's own
    /// code, becomes `.invalidValue` with that error as its cause.
    package static func wrapping(_ error: any Error) -> DaybookError {
        if let known = error as? DaybookError { return known }
        return DaybookError(
            .invalidValue,
            "An object cannot be decoded: its type throws \(error). Make its conversions accept"
                + " the stored value, or put the object again.", cause: error)
    }
}
