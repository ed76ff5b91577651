import Foundation
import Synchronization

/// A call that runs on a thread of its own.
final class BackgroundCall<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let group = DispatchGroup()

    init(_ body: @escaping @Sendable () throws -> Value) {
        group.enter()
        Thread.detachNewThread { [self] in
            let ended = Result { try body() }
            result.withLock { $0 = ended }
            group.leave()
        }
    }

    /// Whether the call has ended.
    var isDone: Bool { result.withLock { $0 != nil } }

    /// Waits for the call and returns its value, or throws its error.
    func value() throws -> Value {
        group.wait()
        guard let ended = result.withLock({ $0 }) else {
            throw BenchmarkError("a call ended without a result")
        }
        return try ended.get()
    }
}
