import DaybookBytes
import DaybookEngine

/// One version of a store, to read: whatever is committed meanwhile, all that is read by it agrees,
/// relations of its objects included, however late they are followed.
///
/// Nobody waits for it. Holding it, or objects that it gave, costs memory in proportion to what is
/// changed meanwhile. Its objects are plain copies as all are; what is edited in their relations
/// can only be written by a put of them in a box of the store.
public final class StoreView: Sendable {
    let types: StoreTypes
    /// The last commit that it shows.
    public let sequence: UInt64

    init(_ types: StoreTypes, _ view: ReadView) throws {
        self.types = types.reading(in: view)
        sequence = try view.sequence
    }

    /// The objects of an entity in this version.
    ///
    /// Never fails: to use that of a type that the store was not opened with throws
    /// `.entityNotRegistered`.
    public func box<E: Entity>(for type: E.Type = E.self) -> ViewBox<E> { ViewBox(types) }
}

extension Store {
    /// The newest version, held. Cost: nothing. Throws `.closed`.
    public func view() throws -> StoreView { try StoreView(types, try engine.view()) }

    /// A version of the past, held.
    ///
    /// It has full boxes: their objects, relations, counts and queries are those of that moment,
    /// and queries use its indexes.
    ///
    /// Cost: where less was changed since than there was before, what the log says of these changes
    /// is read, and memory is taken in proportion to them; else the log up to the moment is read,
    /// and what there was then is held. For a date, a segment of the log is read, too. No file
    /// grows. Throws `.historyTruncated` where a compaction dropped it, `.invalidArgument` for a
    /// sequence that is not there yet, `.closed`, `.corruption`.
    public func view(at moment: HistoryMoment) throws -> StoreView {
        try StoreView(types, try engine.view(at: try engine.sequence(at: try moment.point)))
    }

    /// `view` without blocking.
    public func view() async throws -> StoreView {
        try await engine.readElsewhere { try StoreView(self.types, try self.engine.view()) }
    }

    /// `view` of the past without blocking. Throws `CancellationError` if the task is cancelled.
    public func view(at moment: HistoryMoment) async throws -> StoreView {
        try await engine.readElsewhere { try self.view(at: moment) }
    }
}
