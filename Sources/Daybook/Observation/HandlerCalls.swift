import Dispatch
import Synchronization

/// Calls a handler on a queue as often as it is asked to: one call after the other, whatever the
/// queue. Of calls that have to wait only their number is held.
final class HandlerCalls: Sendable {
    private let dispatchQueue: DispatchQueue
    private let isWanted: @Sendable () -> Bool
    private let handler: @Sendable () -> Void
    /// Those to come, and the one under way.
    private let count = Mutex(0)

    /// - Parameter isWanted: asked before each call; once it says no, no more come.
    init(
        on dispatchQueue: DispatchQueue, while isWanted: @escaping @Sendable () -> Bool,
        _ handler: @escaping @Sendable () -> Void
    ) {
        self.dispatchQueue = dispatchQueue
        self.isWanted = isWanted
        self.handler = handler
    }

    /// One call more.
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
