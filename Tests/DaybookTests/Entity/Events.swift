import Synchronization

/// What a handler was called with, in order, for a test that waits for it.
final class Events<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation
    private let values = Mutex<[Value]>([])

    init() { (stream, continuation) = AsyncStream.makeStream(of: Value.self) }

    func add(_ value: Value) {
        values.withLock { $0.append(value) }
        continuation.yield(value)
    }

    /// All so far.
    var all: [Value] { values.withLock { $0 } }

    /// The next call, which is waited for.
    func next() async -> Value? {
        for await value in stream { return value }
        return nil
    }
}
