public import Daybook

// ObjectBox's names for reads of relations; Daybook has `get`.

extension ToOne {
    /// As `init(_:)`.
    public convenience init(target: Target?) { self.init(target) }

    /// As `get`.
    @discardableResult
    public func resolve() throws -> Target? { try get() }

    /// As `get`, without blocking.
    @discardableResult
    public nonisolated(nonsending) func resolve() async throws -> Target? { try await get() }
}

extension ToMany {
    /// Reads the objects into memory, unless they are in memory already. As `get`.
    public func resolve() throws { try get() }

    /// As ``resolve()``.
    public func resolveFromDb() throws { try get() }

    /// Reads the objects into memory, unless they are in memory already, without blocking.
    public nonisolated(nonsending) func resolve() async throws { try await get() }

    /// As `resolve`, without blocking.
    public nonisolated(nonsending) func resolveFromDb() async throws { try await get() }
}
