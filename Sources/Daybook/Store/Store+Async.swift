#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookEngine

// The asynchronous overloads. Inside an `async` function the compiler chooses them, with `await`.
// The work runs on threads of the library. Except for `close`, all of them throw
// `CancellationError` if the task is cancelled; see <doc:Transactions>.

extension Store {
    /// Opens the store in a directory without blocking the caller's thread. Throws
    /// `CancellationError` if the task is cancelled, and otherwise as the synchronous initializer.
    public convenience init(
        directory: URL, entities: any Storable.Type..., options: StoreOptions = StoreOptions()
    ) async throws {
        let path = try Self.path(of: directory)
        self.init(
            try await Engine.runElsewhere { try OpenedStore(path: path, entities, options) })
    }

    /// Opens the store in the directory at a path without blocking the caller's thread. Throws as
    /// ``init(directory:entities:options:)``, and `CancellationError` if the task is cancelled.
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
    /// caller's thread. Throws as ``init(directory:entities:options:)``, and `CancellationError` if
    /// the task is cancelled.
    public convenience init(
        path: String, entities: [any Storable.Type], options: StoreOptions = StoreOptions()
    ) async throws {
        self.init(
            try await Engine.runElsewhere { try OpenedStore(path: path, entities, options) })
    }

    /// `write` without blocking the caller's thread. `body` runs on a thread of the store, and the
    /// wait for the disk blocks no thread.
    ///
    /// `body` may put objects that the caller created, and return objects that it read: the objects
    /// move to the other thread and back. The compiler rejects a `body` with an object that the
    /// caller, or another task, can still use meanwhile.
    ///
    /// If the task is cancelled before `body` returns, the transaction is rolled back and the call
    /// throws `CancellationError`. After that the transaction is committed and the call returns
    /// normally.
    @discardableResult
    public func write<Result>(
        metadata: CommitMetadata = CommitMetadata(),
        _ body: sending @escaping () throws -> Result
    ) async throws -> sending Result {
        let body = MovedBody(body)
        return try await engine.write(metadata: metadata.pairs) { _ in try body() }.value
    }

    /// `read` on a thread of the store. `body` uses and returns objects as that of
    /// ``write(metadata:_:)-swift.method``. Throws `CancellationError` if the task is cancelled.
    @discardableResult
    public func read<Result>(
        _ body: sending @escaping () throws -> Result
    ) async throws -> sending Result {
        let body = MovedBody(body)
        return try await engine.readElsewhere { try self.engine.readTransaction { try body() } }
            .value
    }

    /// `sync` without blocking the caller's thread. Throws `CancellationError` if the task is
    /// cancelled.
    public func sync() async throws { try await engine.readElsewhere { try self.engine.sync() } }

    /// `close` without blocking the caller's thread. It completes also in a cancelled task.
    public func close() async throws { try await Engine.finishElsewhere { try self.close() } }

    /// `refresh` without blocking the caller's thread. Throws `CancellationError` if the task is
    /// cancelled.
    @discardableResult
    public func refresh() async throws -> Bool {
        try await engine.readElsewhere { try self.engine.refresh() }
    }
}

/// The body of an asynchronous transaction on its way to a thread of the store.
///
/// SENDABLE: nothing else can use the body or its captures, because the body was sent, and the
/// library calls it once. Its result can refer to nothing but these captures and new objects.
private struct MovedBody<Result>: @unchecked Sendable {
    private let body: () throws -> Result

    init(_ body: sending @escaping () throws -> Result) { self.body = body }

    func callAsFunction() throws -> MovedResult<Result> { MovedResult(value: try body()) }
}

/// The result of an asynchronous transaction, or an observed value, on its way back.
///
/// SENDABLE: nothing else can use the value, because the body that returned it sent it; see
/// ``MovedBody``.
struct MovedResult<Result>: @unchecked Sendable {
    let value: Result
}
