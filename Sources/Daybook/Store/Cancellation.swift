import DaybookEngine
import Synchronization

/// Whether the task that waits for a long operation was cancelled; asked on another thread.
final class Cancellation: Sendable {
    private let isRaised = Atomic(false)

    /// Runs `body` away from the caller's thread, and tells it when the caller's task is cancelled
    /// or `isUnwanted` says so.
    static func run<Result: Sendable>(
        orWhen isUnwanted: @escaping @Sendable () -> Bool,
        _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Result
    ) async throws -> Result {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await Engine.runElsewhere {
                try body { cancellation.isRaised.load(ordering: .relaxed) || isUnwanted() }
            }
        } onCancel: {
            cancellation.isRaised.store(true, ordering: .relaxed)
        }
    }
}
