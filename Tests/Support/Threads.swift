import Dispatch
import Foundation
import Synchronization

/// Runs `body` on `count` threads concurrently and waits for all of them. Throws the first error.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let group = DispatchGroup()
    let failure = FirstFailure()
    for index in 0..<count {
        group.enter()
        let thread = Thread {
            do { try body(index) } catch { failure.note(error) }
            group.leave()
        }
        thread.stackSize = 1 << 20
        thread.start()
    }
    group.wait()
    if let error = failure.error { throw error }
}

private final class FirstFailure: Sendable {
    private let held = Mutex<(any Error)?>(nil)
    var error: (any Error)? { held.withLock { $0 } }
    func note(_ error: any Error) { held.withLock { $0 = $0 ?? error } }
}
