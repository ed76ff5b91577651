import DaybookBytes
import DaybookEngine

/// A read-only view of one version of a store. All reads agree, whatever is committed later. This
/// includes the relations of its objects, whenever they are followed.
///
/// A view blocks no writer. While the view or its objects exist, memory grows in proportion to the
/// changes since this version. Its objects are plain copies. To store edits of their relations, put
/// the objects into a box of the store.
public final class StoreView: Sendable {
    let types: StoreTypes
    /// The sequence of the last commit that is visible in the view.
    public let sequence: UInt64

    init(_ types: StoreTypes, _ view: ReadView) throws {
        self.types = types.reading(in: view)
        sequence = try view.sequence
    }

    /// Returns the box for the objects of an entity in this version.
    ///
    /// The call does not fail. If the store was not opened with the type, each use of the box
    /// throws `.entityNotRegistered`.
    public func box<E: Entity>(for type: E.Type = E.self) -> ViewBox<E> { ViewBox(types) }
}

extension Store {
    /// Returns a view of the newest version. Cost: O(1). Throws `.closed`.
    public func view() throws -> StoreView { try StoreView(types, try engine.view()) }

    /// Returns a view of a past version.
    ///
    /// Its boxes are complete: their objects, relations, counts and queries are those of that
    /// moment, and queries use its indexes.
    ///
    /// - Throws: `.historyTruncated` if a compaction dropped the version, `.invalidArgument` for a
    ///   sequence that does not exist yet, `.closed`, `.corruption`.
    /// - Complexity: if fewer changes were made since than before the moment, it reads the log of
    ///   these changes and uses memory in proportion to them. Otherwise it reads the log up to the
    ///   moment and holds that state in memory. Near the moment of one of the last calls, it
    ///   reads only the changes between the two. For a date it also reads one segment of the log.
    ///   No file grows.
    public func view(at moment: HistoryMoment) throws -> StoreView {
        try StoreView(types, try engine.view(at: try engine.sequence(at: try moment.point)))
    }

    /// `view` without blocking the caller's thread.
    public func view() async throws -> StoreView {
        try await engine.readElsewhere { try StoreView(self.types, try self.engine.view()) }
    }

    /// `view` of a past version without blocking the caller's thread. Throws `CancellationError` if
    /// the task is cancelled.
    public func view(at moment: HistoryMoment) async throws -> StoreView {
        try await engine.readElsewhere { try self.view(at: moment) }
    }
}
