import Dispatch
import Synchronization

/// Runs a closure on several threads concurrently.
enum Threads {
    /// Returns the results of the threads, in order. Throws the error of the first thread that
    /// failed.
    static func run<Outcome: Sendable>(
        _ count: Int, _ body: @Sendable (Int) throws -> Outcome
    ) throws -> [Outcome] {
        if count == 1 { return [try body(0)] }
        let results = Mutex<[Int: Result<Outcome, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Result { try body(index) }
            results.withLock { $0[index] = result }
        }
        let ended = results.withLock { $0 }
        return try (0..<count).map { index in
            guard let result = ended[index] else {
                throw BenchmarkError("a thread ended without a result")
            }
            return try result.get()
        }
    }
}
