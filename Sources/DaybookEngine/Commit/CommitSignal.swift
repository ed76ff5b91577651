import Synchronization

/// Signals the last commit that is visible and, except for ``Publication/visibleSignal``, durable.
///
/// It carries only the sequence. Subscribers read the log, so duplicate, late or unordered signals
/// are harmless, and no writer waits for a slow subscriber.
package final class CommitSignal: Sendable {
    private struct Waiter {
        var sequence: UInt64
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var sequence: UInt64 = 0
        var isEnded = false
        var waiters: [Int: Waiter] = [:]
        var listeners: [Int: @Sendable (UInt64) -> Void] = [:]
        var nextNumber = 0

        mutating func takeNumber() -> Int {
            nextNumber += 1
            return nextNumber
        }

        /// Removes and returns the waiters that may continue.
        mutating func takeDue() -> [Waiter] {
            guard !waiters.isEmpty else { return [] }
            let due = waiters.filter { isEnded || $0.value.sequence < sequence }
            for number in due.keys { waiters[number] = nil }
            return Array(due.values)
        }
    }

    private let state = Mutex(State())

    /// The last announced commit. All commits before it are announced, too.
    package var sequence: UInt64 { state.withLock { $0.sequence } }

    /// Whether the store is closed: no more commits are announced.
    package var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Waits until a commit after `sequence` is announced, the store is closed, or the task is
    /// cancelled. Returns immediately if one of these is already true, or if `isWanted` returns
    /// false.
    ///
    /// After a change of the result of `isWanted`, ``wakeAll()`` must be called. `isWanted` is
    /// called under a lock that writers need to announce commits, so it must not call this method,
    /// nor wait for anything.
    package func wait(
        after sequence: UInt64, while isWanted: @Sendable () -> Bool = { true }
    ) async {
        let number = state.withLock { $0.takeNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    // IMPORTANT: checked under the lock that a cancellation takes, too: either the
                    // cancellation finds the waiter, or this check finds the task cancelled.
                    if state.isEnded || state.sequence > sequence || Task.isCancelled
                        || !isWanted()
                    {
                        return true
                    }
                    state.waiters[number] = Waiter(sequence: sequence, continuation: continuation)
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume()
        }
    }

    /// Calls `tell` with the last announced sequence each time it rises, and once when ``isEnded``
    /// becomes true. Returns the number for ``remove(_:)``.
    ///
    /// The calls run on threads that commit or sync, after their locks are released. Calls may be
    /// concurrent and unordered. `tell` must be fast, because these threads wait for it.
    package func add(_ tell: @escaping @Sendable (UInt64) -> Void) -> Int {
        state.withLock { state in
            let number = state.takeNumber()
            state.listeners[number] = tell
            return number
        }
    }

    /// Removes a listener that ``add(_:)`` added. A running call may still finish.
    package func remove(_ number: Int) {
        // IMPORTANT: released outside the lock, because the deinit of an object that the listener
        // holds may take the lock.
        let removed = state.withLock { $0.listeners.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }

    /// Wakes all waiters although nothing was committed, so that they check for other changes.
    package func wakeAll() {
        let all = state.withLock { state in
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in all { waiter.continuation.resume() }
    }

    /// Announces all commits up to `sequence`.
    func advance(to sequence: UInt64) {
        announce { state in
            guard sequence > state.sequence else { return false }
            state.sequence = sequence
            return true
        }
    }

    /// Announces that the store is closed.
    func end() {
        announce { state in
            guard !state.isEnded else { return false }
            state.isEnded = true
            return true
        }
        let removed = state.withLock { state in
            defer { state.listeners = [:] }
            return state.listeners
        }
        withExtendedLifetime(removed) {}
    }

    private func announce(_ change: (inout State) -> Bool) {
        var due: [Waiter] = []
        var listeners: [@Sendable (UInt64) -> Void] = []
        var sequence: UInt64 = 0
        state.withLock { state in
            guard change(&state) else { return }
            sequence = state.sequence
            due = state.takeDue()
            if !state.listeners.isEmpty { listeners = Array(state.listeners.values) }
        }
        for waiter in due { waiter.continuation.resume() }
        for tell in listeners { tell(sequence) }
    }
}
