import DaybookBytes
import Dispatch

// The asynchronous calls of the library. All of them run through ``Engine/cancellable(_:)``, except
// calls that must complete even in a cancelled task, which run through
// ``Engine/finishElsewhere(_:)``.

extension Engine {
    /// The ``write(metadata:_:)`` for `async` callers: transactions queue on a thread of the
    /// engine, and a commit that waits for its sync blocks no thread.
    ///
    /// Throws `CancellationError` if the task is cancelled before `body` returns; nothing is
    /// committed then. After `body` has returned, the commit completes and the call returns
    /// normally.
    package func write<Result: Sendable>(
        metadata: [String: String] = [:],
        _ body: @escaping @Sendable (WriteTransaction) throws -> Result
    ) async throws -> Result {
        // Read here, because the writers' thread does not know the task's metadata.
        let noted = try PendingMetadata(ambient: options.ambientMetadata(), metadata)
        let begun = CommitWatch(events)
        return try await Self.cancellable { cancellation, done in
            self.asyncWriters.async {
                do {
                    var result: Result?
                    var watch = begun
                    let sequence = try self.commit(&watch) { transaction in
                        transaction.noted = noted
                        result = try cancellation.run {
                            try cancellation.check()
                            let result = try body(transaction)
                            try cancellation.check()
                            return result
                        }
                    }
                    guard let result else { preconditionFailure("commit runs its body") }
                    let written = watch
                    self.whenVisible(sequence) { error in
                        var watch = written
                        if error == nil { watch.becameVisible() }
                        done(error.map { .failure($0) } ?? .success(result))
                    }
                } catch {
                    done(.failure(error))
                }
            }
        }
    }

    private func whenVisible(
        _ sequence: UInt64, _ done: @escaping @Sendable (DaybookError?) -> Void
    ) {
        let notifyAndEnd: @Sendable (DaybookError?) -> Void = { error in
            self.publication.tell()
            guard error == nil, let shipping = self.options.shipping else { return done(error) }
            shipping.whenShipped(sequence, done)
        }
        guard options.durability == .always, let durability = log.durability else {
            return notifyAndEnd(nil)
        }
        durability.whenDurable(sequence, on: asyncSyncs, notifyAndEnd)
    }

    /// Runs a read on a thread of the engine, because reads may wait for the disk. Throws `.closed`
    /// if the store is closed, also between the reads of a series, and `CancellationError` if the
    /// task is cancelled.
    package func readElsewhere<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await Self.run(on: asyncReaders) {
            try self.requireOpen()
            return try body()
        }
    }

    /// Runs a long operation, such as opening a store or a backup, on a thread of the library.
    /// Throws `CancellationError` if the task is cancelled.
    package static func runElsewhere<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await run(on: asyncOpeners, body)
    }

    /// Runs `body` to its end on a thread of the library, even in a cancelled task. For closing a
    /// store, and for storing a consumer's position.
    package static func finishElsewhere<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            asyncOpeners.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    private static let asyncOpeners = DispatchQueue(
        label: "daybook.openers", attributes: .concurrent)

    private static func run<Result: Sendable>(
        on queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await cancellable { cancellation, done in
            queue.async {
                done(
                    Swift.Result {
                        try cancellation.run {
                            try cancellation.check()
                            return try body()
                        }
                    })
            }
        }
    }

    /// Starts an operation on another thread and waits for it. The operation stops at its next
    /// check if the task is cancelled; the call then throws `CancellationError`.
    private static func cancellable<Result: Sendable>(
        _ start: (
            OperationCancellation, @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
        ) -> Void
    ) async throws -> Result {
        let cancellation = OperationCancellation()
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    start(cancellation) { continuation.resume(with: $0) }
                }
            } onCancel: {
                cancellation.cancel()
            }
        } catch DaybookError.Code.interrupted where cancellation.isCancelled {
            throw CancellationError()
        }
    }
}
