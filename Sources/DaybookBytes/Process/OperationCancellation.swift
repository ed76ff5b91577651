import Synchronization

/// The cancellation of one asynchronous operation, which any thread of the operation can check.
///
/// The operation's thread makes it current with ``run(_:)``. Long loops call ``checkCurrent()``; on
/// a thread without a current operation, such as that of a blocking call, it does nothing. An
/// operation that uses several threads hands ``current`` to them.
package final class OperationCancellation: Sendable {
    /// Called at each check of the operations that a task starts. For tests.
    @TaskLocal package static var observer: (@Sendable () -> Void)?

    private static let threads = ThreadLocal<OperationCancellation>()

    private let isRaised = Atomic(false)
    private let observer: (@Sendable () -> Void)?

    package init() { observer = Self.observer }

    /// The operation that this thread runs, or nil.
    package static var current: OperationCancellation? { threads.value }

    /// Whether the operation was cancelled.
    package var isCancelled: Bool { isRaised.load(ordering: .relaxed) }

    /// Cancels the operation: its next check throws.
    package func cancel() { isRaised.store(true, ordering: .relaxed) }

    /// Throws `.interrupted` if the operation was cancelled.
    package func check() throws(DaybookError) {
        observer?()
        if isCancelled { throw .interrupted }
    }

    /// Throws `.interrupted` if the operation that this thread runs was cancelled.
    package static func checkCurrent() throws(DaybookError) { try current?.check() }

    /// Runs `body` as a part of the operation.
    package func run<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try Self.with(self, body)
    }

    /// Runs `body` to its end even if the current operation is cancelled, for changes that must not
    /// stop half way.
    package static func shielded<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try with(nil, body)
    }

    private static func with<Result, Failure: Error>(
        _ operation: OperationCancellation?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = threads.value
        threads.value = operation
        defer { threads.value = outer }
        return try body()
    }
}

extension DaybookError {
    /// The error of an operation that was interrupted and changed nothing.
    package static var interrupted: DaybookError {
        DaybookError(.interrupted, "Interrupted; the contents of the store are unchanged.")
    }
}
