import Synchronization

/// Wakes one waiting task.
final class Signal: Sendable {
    private struct State {
        var isSet = false
        /// The number of the current wait, so that an old timer wakes no later wait.
        var number: UInt64 = 0
        /// The last wait that its timer or a cancellation ended.
        var endedNumber: UInt64 = 0
        var waiter: CheckedContinuation<Bool, Never>?
    }

    private let state = Mutex(State())

    /// Wakes the waiting task, or the next one.
    func set() {
        state.withLock { state in
            defer { state.waiter = nil }
            if state.waiter == nil { state.isSet = true }
            return state.waiter
        }?.resume(returning: true)
    }

    /// Waits for ``set()``, at most for a duration, or until the task is cancelled. Returns whether
    /// the signal was set.
    @discardableResult
    func wait(atMost limit: Duration) async -> Bool {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            end(number)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state -> Bool? in
                    if state.isSet {
                        state.isSet = false
                        return true
                    }
                    if state.endedNumber == number { return false }
                    state.waiter = continuation
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            end(number)
        }
    }

    private func end(_ number: UInt64) {
        state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.number == number else { return nil }
            state.endedNumber = number
            defer { state.waiter = nil }
            return state.waiter
        }?.resume(returning: false)
    }
}
