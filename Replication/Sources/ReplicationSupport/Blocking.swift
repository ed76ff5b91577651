import Dispatch

/// Runs calls that block on the disk on threads of their own, so that tasks continue.
package enum Blocking {
    private static let queue = DispatchQueue(
        label: "daybook.replication", attributes: .concurrent)

    package static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
