import Synchronization

/// Records the calls of a handler in order, for a test that awaits them.
final class Events<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation
    private let values = Mutex<[Value]>([])

    init() { (stream, continuation) = AsyncStream.makeStream(of: Value.self) }

    func add(_ value: Value) {
        values.withLock { $0.append(value) }
        continuation.yield(value)
    }

    /// All calls so far.
    var all: [Value] { values.withLock { $0 } }

    /// Waits for the next call.
    func next() async -> Value? {
        for await value in stream { return value }
        return nil
    }
}
