#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookEngine

/// One commit of a store, with what it changed; or a part of the store's state, where that is given
/// instead of changes that are gone.
public struct Commit: Sendable {
    /// The number of the commit: 1, 2, 3 ….
    public let sequence: UInt64
    /// When it was committed; never before the commit before it.
    public let date: Date
    /// What the program noted with it.
    public let metadata: CommitMetadata
    /// Where to go on from once this was dealt with. Of a part of a state it is where the state
    /// began, until the last part.
    public let position: ChangePosition
    /// Whether this is a part of the state of the store at ``sequence`` rather than a change: all
    /// of its objects are inserts, all of its links are made. What was there before is void.
    public let isState: Bool
    /// Whether this ends a state: all of it was given.
    public let isEndOfState: Bool
    /// The objects and events, in the order of the log. It may be empty: see ``Changes``.
    public let changes: [AnyChange]
    private let recorded: CommitChanges
    private let types: StoreTypes

    init(_ commit: CommitChanges, _ types: StoreTypes) {
        sequence = commit.sequence
        date = Date(timeIntervalSince1970: Double(commit.timeMicroseconds) / 1_000_000)
        metadata = CommitMetadata(pairs: commit.metadata)
        position = ChangePosition(
            store: types.engine.position.store, sequence: commit.resumeSequence)
        isState = commit.isState
        isEndOfState = commit.isState && commit.resumeSequence == commit.sequence
        changes = commit.objects.indices.map {
            AnyChange(recorded: RecordedChange(commit, $0, types))
        }
        recorded = commit
        self.types = types
    }

    /// The changes of an entity's objects, in the order of the log; none where the store was opened
    /// without the type.
    public func changes<E: Entity>(of type: E.Type) -> [Change<E>] {
        changes.compactMap { $0.change(of: type) }
    }

    /// The events of a type, in the order of the log.
    ///
    /// Throws `.entityNotRegistered`, `.corruption`, and what the type's own decoding throws.
    public func events<E: Event>(of type: E.Type) throws -> [E] {
        try changes.compactMap { try $0.event(as: type) }
    }

    /// The links, in the order of the log.
    public var links: [LinkChanged] {
        recorded.links.map { LinkChanged($0, types.engine.schemas) }
    }

    /// Whether it changed nothing that was asked for: it only tells how far the history goes.
    public var isEmpty: Bool { recorded.isEmpty }

    /// Looks for the versions before of all changes, without blocking: what asks for them
    /// afterwards finds them at hand. Throws `.closed`, `.corruption`.
    public func readVersionsBefore() async throws {
        try await types.engine.readElsewhere {
            for change in changes { _ = try change.recorded.before() }
        }
    }
}
