internal import Synchronization

/// A value that is set once and that one task awaits.
///
/// The first value wins, so a timer, a cancellation and a reply may race.
final class Answer<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, NATSError>

    private enum State {
        case empty
        case awaited(CheckedContinuation<Outcome, Never>)
        case set(Outcome)
    }

    private let state = Mutex(State.empty)

    /// Whether a value is set.
    var isSet: Bool {
        state.withLock { state in
            if case .set = state { true } else { false }
        }
    }

    /// Sets the value. Returns false if another one is set already.
    @discardableResult
    func set(_ outcome: Outcome) -> Bool {
        let (isFirst, continuation) = state.withLock { state in
            switch state {
            case .empty:
                state = .set(outcome)
                return (true, nil as CheckedContinuation<Outcome, Never>?)
            case .awaited(let continuation):
                state = .set(outcome)
                return (true, continuation)
            case .set:
                return (false, nil)
            }
        }
        continuation?.resume(returning: outcome)
        return isFirst
    }

    /// Waits for the value. Throws the error that was set, or `.cancelled` if the task is
    /// cancelled first. Only one task may wait.
    func get() async throws(NATSError) -> Value {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = state.withLock { state in
                    if case .set(let outcome) = state { return outcome }
                    state = .awaited(continuation)
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            set(.failure(.cancelledTask))
        }
        return try outcome.get()
    }
}
