#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookEngine

// The same operations for `async` callers. Inside an `async` function these are chosen, with
// `await`; the work is done on threads of the library's own.

extension Store {
    /// Opens the store in a directory without blocking the caller's thread. Else as
    /// without `await`.
    public convenience init(
        directory: URL, entities: any Storable.Type..., options: StoreOptions = StoreOptions()
    ) async throws {
        let path = try Self.path(of: directory)
        self.init(
            try await Engine.runElsewhere { try OpenedStore(path: path, entities, options) })
    }

    /// Opens the store in the directory at a path without blocking the caller's thread.
    public convenience init(
        directoryPath: String, entities: any Storable.Type...,
        options: StoreOptions = StoreOptions()
    ) async throws {
        self.init(
            try await Engine.runElsewhere {
                try OpenedStore(path: directoryPath, entities, options)
            })
    }

    /// Opens a store with entity types that are only known at run time, without blocking the
    /// caller's thread.
    public convenience init(
        path: String, entities: [any Storable.Type], options: StoreOptions = StoreOptions()
    ) async throws {
        self.init(
            try await Engine.runElsewhere { try OpenedStore(path: path, entities, options) })
    }

    /// `write` without blocking the caller's thread: `body` runs on the store's own, and the wait
    /// for the disk holds no thread.
    @discardableResult
    public func write<Result: Sendable>(
        metadata: CommitMetadata = CommitMetadata(), _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await engine.write(metadata: metadata.pairs) { _ in try body() }
    }

    /// `read` away from the caller's thread.
    @discardableResult
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await engine.readElsewhere { try self.engine.readTransaction(body) }
    }

    /// `sync` without blocking the caller's thread.
    public func sync() async throws { try await engine.readElsewhere { try self.engine.sync() } }

    /// `close` without blocking the caller's thread.
    public func close() async throws { try await Engine.runElsewhere { try self.close() } }

    /// `refresh` without blocking the caller's thread.
    @discardableResult
    public func refresh() async throws -> Bool {
        try await engine.readElsewhere { try self.engine.refresh() }
    }
}
