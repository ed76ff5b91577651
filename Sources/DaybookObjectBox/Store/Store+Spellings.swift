public import Daybook

// ObjectBox's names of transactions; Daybook has `write` and `read`.

extension Store {
    /// As `write`. The pairs of `metadata` are stored with the commit.
    @discardableResult
    public func runInTransaction<Result>(
        metadata: [String: String] = [:], _ body: () throws -> Result
    ) throws -> Result { try write(metadata: CommitMetadata(pairs: metadata), body) }

    /// As `read`.
    @discardableResult
    public func runInReadOnlyTransaction<Result>(_ body: () throws -> Result) throws -> Result {
        try read(body)
    }

    /// As `write`, without blocking.
    @discardableResult
    public func runInTransaction<Result>(
        metadata: [String: String] = [:], _ body: sending @escaping () throws -> Result
    ) async throws -> sending Result {
        try await write(metadata: CommitMetadata(pairs: metadata), body)
    }

    /// As `read`, without blocking.
    @discardableResult
    public func runInReadOnlyTransaction<Result>(
        _ body: sending @escaping () throws -> Result
    ) async throws -> sending Result { try await read(body) }
}
