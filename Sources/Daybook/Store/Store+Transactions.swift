import DaybookEngine

extension Store {
    /// Runs `body` as one write transaction: all of its changes or none, and one commit.
    ///
    /// Writers queue; readers go on undisturbed. The operations of this store's boxes in `body`, on
    /// this thread, belong to it and see its changes.
    ///
    /// An operation that throws has changed nothing: catch its error, and the transaction may go
    /// on. A transaction inside another joins it; if the inner *block* throws, the whole is rolled
    /// back, even where the error is caught: everything after throws `.transactionDoomed`.
    ///
    /// Ids that were given out in a transaction that is rolled back are not given to other objects
    /// by this process, so an object that kept such an id may be put again.
    ///
    /// - Throws: what `body` throws, with nothing changed; `.cannotWriteWhileReading` inside a read
    ///   transaction; `.readOnly`, `.closed`, `.outOfSpace`, `.durabilityUnknown`.
    @discardableResult
    public func runInTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try engine.write { _ in try body() }
    }

    /// Runs `body` over one version of the store: whatever is committed meanwhile, all reads in it
    /// agree.
    ///
    /// Nobody waits for a reader. Inside a write transaction it joins that one and sees its
    /// changes. Throws what `body` throws, and `.closed`.
    @discardableResult
    public func runInReadOnlyTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try engine.readTransaction(body)
    }

    /// ``runInTransaction(_:)`` without blocking the caller's thread: `body` runs on the store's
    /// own, and the wait for the disk holds no thread.
    @discardableResult
    public func runInTransaction<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await engine.write { _ in try body() }
    }

    /// ``runInReadOnlyTransaction(_:)`` away from the caller's thread.
    @discardableResult
    public func runInReadOnlyTransaction<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await engine.readElsewhere { try self.engine.readTransaction(body) }
    }
}
