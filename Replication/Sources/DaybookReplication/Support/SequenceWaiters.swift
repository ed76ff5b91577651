import Daybook
import Synchronization

/// Tasks that wait until a replica has a sequence.
final class SequenceWaiters: Sendable {
    private struct Waiter {
        var id: UInt64
        var sequence: UInt64
        var continuation: CheckedContinuation<DaybookError?, Never>
    }

    private struct State {
        var sequence: UInt64 = 0
        var failure: DaybookError?
        var nextId: UInt64 = 0
        /// The waits that ended before they began, because their time limit was over.
        var endedIds: Set<UInt64> = []
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    /// Records that the replica has all transactions up to a sequence.
    func advance(to sequence: UInt64) {
        let reached = state.withLock { state in
            state.sequence = max(state.sequence, sequence)
            let reached = state.waiters.filter { $0.sequence <= state.sequence }
            state.waiters.removeAll { $0.sequence <= state.sequence }
            return reached
        }
        for waiter in reached { waiter.continuation.resume(returning: nil) }
    }

    /// Ends all waits, now and later, with an error.
    func stop(because error: DaybookError) {
        let waiters = state.withLock { state in
            state.failure = state.failure ?? error
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: error) }
    }

    /// Waits for a sequence. Throws `late` after a time limit, and `CancellationError`.
    func wait(
        for sequence: UInt64, atMost limit: Duration, late: DaybookError
    ) async throws {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        let timer = Task {
            do { try await Task.sleep(for: limit) } catch { return }
            end(id, late)
        }
        defer {
            timer.cancel()
            state.withLock { _ = $0.endedIds.remove(id) }
        }
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state -> DaybookError?? in
                    if state.sequence >= sequence { return .some(nil) }
                    if let failure = state.failure { return failure }
                    if state.endedIds.contains(id) { return late }
                    state.waiters.append(
                        Waiter(id: id, sequence: sequence, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            end(id, late)
        }
        try Task.checkCancellation()
        if let error { throw error }
    }

    private func end(_ id: UInt64, _ error: DaybookError) {
        state.withLock { state -> CheckedContinuation<DaybookError?, Never>? in
            guard let place = state.waiters.firstIndex(where: { $0.id == id }) else {
                state.endedIds.insert(id)
                return nil
            }
            return state.waiters.remove(at: place).continuation
        }?.resume(returning: error)
    }
}
