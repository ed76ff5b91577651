import DaybookBytes
import Dispatch
import Synchronization

/// Calls a handler on a dispatch queue. The calls are sequential, also on a concurrent queue. Only
/// the number of pending calls is stored.
final class HandlerCalls: Sendable {
    private struct Pending {
        /// The number of pending calls, including the running one.
        var count = 0
        /// The argument of the last call.
        var failure: DaybookError?
        /// Runs instead of the last call.
        var end: (@Sendable () -> Void)?

        var isLimited: Bool { failure != nil || end != nil }
    }

    private let dispatchQueue: DispatchQueue
    private let isWanted: @Sendable () -> Bool
    private let handler: @Sendable (DaybookError?) -> Void
    private let pending = Mutex(Pending())

    /// - Parameters:
    ///   - isWanted: Called before each call of the handler. After it returns false, the handler is
    ///     not called any more.
    ///   - handler: Receives nil, or the error of ``fail(_:)`` in the last call.
    init(
        on dispatchQueue: DispatchQueue, while isWanted: @escaping @Sendable () -> Bool,
        _ handler: @escaping @Sendable (DaybookError?) -> Void
    ) {
        self.dispatchQueue = dispatchQueue
        self.isWanted = isWanted
        self.handler = handler
    }

    /// Schedules one more call.
    func add() { schedule() }

    /// Schedules the last call, with an error, after all pending ones.
    func fail(_ error: DaybookError) { schedule(error) }

    /// Schedules `end` after all pending calls. There are no calls afterwards.
    func end(_ end: @escaping @Sendable () -> Void) { schedule(nil, end) }

    private func schedule(_ failure: DaybookError? = nil, _ end: (@Sendable () -> Void)? = nil) {
        let isFirst = pending.withLock { pending in
            guard !pending.isLimited else { return false }
            (pending.failure, pending.end) = (failure, end)
            pending.count += 1
            return pending.count == 1
        }
        if isFirst { callNext() }
    }

    private func callNext() {
        dispatchQueue.async {
            guard self.isWanted() else { return }
            let (failure, end) = self.pending.withLock { pending in
                pending.count == 1 ? (pending.failure, pending.end) : (nil, nil)
            }
            if let end { end() } else { self.handler(failure) }
            let isMore = self.pending.withLock { pending in
                pending.count -= 1
                return pending.count > 0
            }
            if isMore { self.callNext() }
        }
    }
}
