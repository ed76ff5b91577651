import Foundation

/// Runs a piece of work on several threads at once.
enum Threads {
    /// What each of the threads came to, in order. Throws what the first that failed threw.
    static func run<Result>(_ count: Int, _ body: (Int) throws -> Result) throws -> [Result] {
        if count == 1 { return [try body(0)] }
        var results: [Swift.Result<Result, any Error>?] = Array(repeating: nil, count: count)
        results.withUnsafeMutableBufferPointer { results in
            // Each thread has a place of its own, and all have ended before the places go.
            nonisolated(unsafe) let places = results
            nonisolated(unsafe) let body = body
            DispatchQueue.concurrentPerform(iterations: count) { index in
                places[index] = Swift.Result { try body(index) }
            }
        }
        return try results.map { result in
            guard let result else { throw BenchmarkError("a thread ended without a result") }
            return try result.get()
        }
    }
}
