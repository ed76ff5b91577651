import Synchronization

/// Tells that there is more to read: the last commit that is durable and visible.
///
/// It carries no changes, only how far they go. Who follows reads the log, so a notice that comes
/// twice, late or out of turn costs nothing, and nobody waits for the slow.
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

        /// Those who wait no longer.
        mutating func takeDue() -> [Waiter] {
            let due = waiters.filter { isEnded || $0.value.sequence < sequence }
            for number in due.keys { waiters[number] = nil }
            return Array(due.values)
        }
    }

    private let state = Mutex(State())

    /// The last commit that was told: it is durable and visible, as all before it.
    package var sequence: UInt64 { state.withLock { $0.sequence } }

    /// Whether the store is closed: nothing will be told any more.
    package var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Waits until a commit behind `sequence` is told, the store is closed, or the task is
    /// cancelled; returns at once where that is so already, and where `isWanted` says no.
    ///
    /// Whoever changes what `isWanted` says calls ``wakeAll()`` behind it. It is asked under a lock
    /// that writers need to tell of their commits, so it must not call this, nor wait for anything.
    package func wait(
        after sequence: UInt64, while isWanted: @Sendable () -> Bool = { true }
    ) async {
        let number = state.withLock { $0.takeNumber() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    // IMPORTANT: asked under the lock that a cancellation takes, too, so that
                    // either it finds the waiter or this finds it cancelled.
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

    /// Calls `tell` with the last told sequence whenever that has risen, and once at the end, when
    /// ``isEnded``. Returns the number to remove it by.
    ///
    /// The calls come on threads that commit or sync, after their locks are released; two may come
    /// at the same time and out of turn. Be brief, for those threads wait.
    package func add(_ tell: @escaping @Sendable (UInt64) -> Void) -> Int {
        state.withLock { state in
            let number = state.takeNumber()
            state.listeners[number] = tell
            return number
        }
    }

    /// Ends what ``add(_:)`` began; a call that is under way may still finish.
    package func remove(_ number: Int) {
        // IMPORTANT: let go of behind the lock, for what a listener holds may ask for it.
        let removed = state.withLock { $0.listeners.removeValue(forKey: number) }
        withExtendedLifetime(removed) {}
    }

    /// Wakes everyone who waits, though nothing was committed: to look for what else may have
    /// changed.
    package func wakeAll() {
        let all = state.withLock { state in
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in all { waiter.continuation.resume() }
    }

    /// All up to `sequence` is durable and visible.
    func advance(to sequence: UInt64) {
        announce { state in
            guard sequence > state.sequence else { return false }
            state.sequence = sequence
            return true
        }
    }

    /// The store is closed.
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
            listeners = Array(state.listeners.values)
        }
        for waiter in due { waiter.continuation.resume() }
        for tell in listeners { tell(sequence) }
    }
}
