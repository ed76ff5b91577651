#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import DaybookEngine

/// A commit of a store with its changes; or a part of the store's state, which replaces changes
/// that a compaction has dropped.
public struct Commit: Sendable {
    /// The sequence number of the commit: 1, 2, 3 ….
    public let sequence: UInt64
    /// The time of the commit. Never earlier than the time of the previous commit.
    public let date: Date
    /// The metadata that the program stored with the commit.
    public let metadata: CommitMetadata
    /// The position from which to continue after this commit was processed. For a part of a state
    /// other than the last, the position from which the state was read.
    public let position: ChangePosition
    /// Whether this is a part of the state of the store at ``sequence`` instead of a change. All of
    /// its objects are inserts, and all of its links are added links. A state replaces everything
    /// that was delivered before.
    public let isState: Bool
    /// Whether this is the last part of a state.
    public let isEndOfState: Bool
    /// The changes of objects and the events, in the order of the log. May be empty: see
    /// ``Changes``.
    public let changes: [AnyChange]
    /// Whether the commit has more changes than these: see ``Store/commit(_:changeLimit:)``.
    public let hasMoreChanges: Bool
    private let recorded: CommitChanges
    private let versions: VersionsBefore
    private let types: StoreTypes

    init(_ commit: CommitChanges, _ types: StoreTypes, hasMoreChanges: Bool = false) {
        self.hasMoreChanges = hasMoreChanges
        sequence = commit.sequence
        date = Date(timeIntervalSince1970: Double(commit.timeMicroseconds) / 1_000_000)
        metadata = CommitMetadata(pairs: commit.metadata)
        position = ChangePosition(
            store: types.engine.position.store, sequence: commit.resumeSequence)
        isState = commit.isState
        isEndOfState = commit.isState && commit.resumeSequence == commit.sequence
        let versions = VersionsBefore(commit)
        changes = commit.objects.indices.map {
            AnyChange(recorded: RecordedChange(versions, $0, types))
        }
        self.versions = versions
        recorded = commit
        self.types = types
    }

    /// The changes of the objects of an entity, in the order of the log. Empty if the store was
    /// opened without the type.
    public func changes<E: Entity>(of type: E.Type) -> [Change<E>] {
        changes.compactMap { $0.change(of: type) }
    }

    /// The events of a type, in the order of the log.
    ///
    /// Throws `.entityNotRegistered`, `.corruption`, and the errors of the type's own decoding.
    public func events<E: Event>(of type: E.Type) throws -> [E] {
        try changes.compactMap { try $0.event(as: type) }
    }

    /// The changes of links, in the order of the log.
    public var links: [LinkChanged] {
        recorded.links.map { LinkChanged($0, types.engine.schemas) }
    }

    /// Whether the commit has none of the requested changes. It then only reports the progress.
    public var isEmpty: Bool { recorded.isEmpty }

    /// Reads the versions before all changes of the commit without blocking. Later accesses of
    /// these versions do not read the log.
    ///
    /// - Complexity: One pass over the transactions that wrote the versions. The rows of all
    ///   versions are kept in memory.
    /// - Throws: `.closed` and `.corruption`.
    public func readVersionsBefore() async throws {
        try await types.engine.readElsewhere {
            try versions.forEach { index, before in changes[index].recorded.found(before) }
        }
    }
}
