import DaybookBytes
import Dispatch

extension Engine {
    /// ``write(metadata:_:)`` for `async` callers: transactions queue on a thread of the engine's
    /// own, and while a commit waits for its sync no thread waits with it.
    package func write<Result: Sendable>(
        metadata: [String: String] = [:],
        _ body: @escaping @Sendable (WriteTransaction) throws -> Result
    ) async throws -> Result {
        // Asked here: what a task wants noted is not known on the writers' thread.
        let noted = try NotedMetadata(ambient: options.ambientMetadata(), metadata)
        return try await withCheckedThrowingContinuation { continuation in
            asyncWriters.async {
                do {
                    var result: Result?
                    let sequence = try self.commit { transaction in
                        transaction.noted = noted
                        result = try body(transaction)
                    }
                    guard let result else { preconditionFailure("commit runs its body") }
                    self.whenVisible(sequence) { error in
                        if let error {
                            continuation.resume(throwing: error)
                        } else {
                            continuation.resume(returning: result)
                        }
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    private func whenVisible(
        _ sequence: UInt64, _ done: @escaping @Sendable (DaybookError?) -> Void
    ) {
        let tellAndEnd: @Sendable (DaybookError?) -> Void = { error in
            self.publication.tell()
            done(error)
        }
        guard options.durability == .always, let durability = log.durability else {
            return tellAndEnd(nil)
        }
        durability.whenDurable(sequence, on: asyncSyncs, tellAndEnd)
    }

    /// Runs a read away from the caller's thread, for reads may wait for the disk. Throws `.closed`
    /// once the store is closed, also in the midst of a series of such reads.
    package func readElsewhere<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await asyncReaders.run {
            try self.requireOpen()
            return try body()
        }
    }

    /// Runs what opens or ends a store away from the caller's thread.
    package static func runElsewhere<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await asyncOpeners.run(body)
    }

    private static let asyncOpeners = DispatchQueue(
        label: "daybook.openers", attributes: .concurrent)
}

extension DispatchQueue {
    /// Runs `body` on the queue, and goes on where the caller was.
    fileprivate func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
