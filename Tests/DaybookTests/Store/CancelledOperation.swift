import DaybookBytes
import Synchronization

/// An asynchronous operation whose task is cancelled at one of the operation's own checks, so that
/// no test depends on time.
struct CancelledOperation<Value: Sendable>: Sendable {
    /// The number of checks that the operation made, including the one that cancelled it.
    let checkCount: Int
    let result: Result<Value, any Error>

    /// Runs `body` in a task. Its check with the given number, from 1, cancels the task; nil runs
    /// it to its end.
    init(
        at number: Int?, _ body: @escaping @Sendable () async throws -> Value
    ) async {
        let checks = CheckCounter()
        let task = Task {
            while !checks.isReady { await Task.yield() }
            return try await OperationCancellation.$observer.withValue({ checks.note(number) }) {
                try await body()
            }
        }
        checks.begin { task.cancel() }
        result = await task.result
        checkCount = checks.count
    }

    /// Whether the call threw `CancellationError`.
    var isCancelled: Bool {
        if case .failure(let error) = result { error is CancellationError } else { false }
    }
}

private final class CheckCounter: Sendable {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        var count = 0
    }

    private let state = Mutex(State())

    var isReady: Bool { state.withLock { $0.cancel != nil } }
    var count: Int { state.withLock { $0.count } }

    func begin(_ cancel: @escaping @Sendable () -> Void) { state.withLock { $0.cancel = cancel } }

    func note(_ number: Int?) {
        let cancel = state.withLock { state in
            state.count += 1
            return state.count == number ? state.cancel : nil
        }
        cancel?()
    }
}
