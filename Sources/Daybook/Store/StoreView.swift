import DaybookBytes
import DaybookEngine

/// A moment in the history of a store.
public enum StorePoint: Sendable, Hashable {
    /// After the commit of that number: see ``Store/sequence``.
    case sequence(UInt64)

    fileprivate var sequence: UInt64 {
        switch self {
        case .sequence(let number): number
        }
    }
}

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
    /// Cost: the log up to it is read, and its indexes are built in memory. Throws
    /// `.historyTruncated` where a compaction dropped it, `.invalidArgument` for one that is not
    /// there yet, `.closed`, `.corruption`.
    public func view(at point: StorePoint) throws -> StoreView {
        try StoreView(types, try engine.view(at: point.sequence))
    }

    /// `view` without blocking.
    public func view() async throws -> StoreView {
        try await engine.readElsewhere { try StoreView(self.types, try self.engine.view()) }
    }

    /// `view` of the past without blocking.
    public func view(at point: StorePoint) async throws -> StoreView {
        try await engine.readElsewhere {
            try StoreView(self.types, try self.engine.view(at: point.sequence))
        }
    }
}
