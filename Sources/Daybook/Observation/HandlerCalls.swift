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
    func add() { schedule(nil) }

    /// Schedules the last call, with an error, after all pending ones.
    func fail(_ error: DaybookError) { schedule(error) }

    private func schedule(_ failure: DaybookError?) {
        let isFirst = pending.withLock { pending in
            guard pending.failure == nil else { return false }
            pending.failure = failure
            pending.count += 1
            return pending.count == 1
        }
        if isFirst { callNext() }
    }

    private func callNext() {
        dispatchQueue.async {
            guard self.isWanted() else { return }
            self.handler(self.pending.withLock { $0.count == 1 ? $0.failure : nil })
            let isMore = self.pending.withLock { pending in
                pending.count -= 1
                return pending.count > 0
            }
            if isMore { self.callNext() }
        }
    }
}
