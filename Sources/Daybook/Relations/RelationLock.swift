import Synchronization

/// Guards the state of one relation object.
///
/// The user's objects are not `Sendable`, so the lock does not own the state that it guards. No
/// user code may run while the lock is held.
struct RelationLock: ~Copyable {
    private let mutex = Mutex(())

    /// Runs `body` while the lock is held, and returns its result.
    @inline(__always)
    borrowing func callAsFunction<Result>(_ body: () throws -> Result) rethrows -> Result {
        var result: Result?
        try mutex.withLock { _ in result = try body() }
        guard let result else { preconditionFailure("the lock runs its body") }
        return result
    }
}
