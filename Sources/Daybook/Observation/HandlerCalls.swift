import Dispatch
import Synchronization

/// Calls a handler on a dispatch queue. The calls are sequential, also on a concurrent queue. Only
/// the number of pending calls is stored.
final class HandlerCalls: Sendable {
    private let dispatchQueue: DispatchQueue
    private let isWanted: @Sendable () -> Bool
    private let handler: @Sendable () -> Void
    /// The number of pending calls, including the running one.
    private let count = Mutex(0)

    /// - Parameter isWanted: Called before each call of the handler. After it returns false, the
    ///   handler is not called any more.
    init(
        on dispatchQueue: DispatchQueue, while isWanted: @escaping @Sendable () -> Bool,
        _ handler: @escaping @Sendable () -> Void
    ) {
        self.dispatchQueue = dispatchQueue
        self.isWanted = isWanted
        self.handler = handler
    }

    /// Schedules one more call.
    func add() {
        let isFirst = count.withLock { count in
            count += 1
            return count == 1
        }
        if isFirst { callNext() }
    }

    private func callNext() {
        dispatchQueue.async {
            guard self.isWanted() else { return }
            self.handler()
            let isMore = self.count.withLock { count in
                count -= 1
                return count > 0
            }
            if isMore { self.callNext() }
        }
    }
}
