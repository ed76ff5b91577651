import Synchronization

/// Guards the state of one relation object. Objects of a user's are no `Sendable` values, so the
/// lock does not own what it guards; no code of a user's runs under it.
struct RelationLock: ~Copyable {
    private let mutex = Mutex(())

    /// Runs `body` while nobody else does.
    borrowing func callAsFunction<Result>(_ body: () throws -> Result) rethrows -> Result {
        var result: Result?
        try mutex.withLock { _ in result = try body() }
        guard let result else { preconditionFailure("the lock runs its body") }
        return result
    }
}
