public import Daybook

extension Store {
    /// As `write`, with metadata as plain pairs.
    @discardableResult
    public func runInTransaction<Result>(
        metadata: [String: String] = [:], _ body: () throws -> Result
    ) throws -> Result {
        try write(metadata: CommitMetadata(pairs: metadata), body)
    }

    /// As `read`.
    @discardableResult
    public func runInReadOnlyTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try read(body)
    }

    /// `runInTransaction` without blocking.
    @discardableResult
    public func runInTransaction<Result: Sendable>(
        metadata: [String: String] = [:], _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await write(metadata: CommitMetadata(pairs: metadata), body)
    }

    /// `runInReadOnlyTransaction` without blocking.
    @discardableResult
    public func runInReadOnlyTransaction<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await read(body)
    }
}
