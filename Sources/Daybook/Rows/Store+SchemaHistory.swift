import DaybookEngine
import DaybookRecords
import DaybookRows
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A commit that changed the layout of an entity: see ``Store/schemaHistory()``.
public struct SchemaChange: Sendable, Hashable {
    /// The sequence number of the commit.
    public let sequence: UInt64
    /// The time of the commit, to the microsecond.
    public let date: Date
    /// The name of the entity after the commit.
    public let entityName: String
    /// The differences from the layout before. Empty if only details changed that have no name in
    /// ``StoreSchema``, such as a delete rule.
    public let differences: [StoreSchema.Difference]
}

extension Store {
    /// Returns the changes of the schema in the order of the commits: the entities, properties,
    /// relations and indexes that were added, renamed, retyped and removed.
    ///
    /// After a compaction, a change may belong to the commit that contains its layout now.
    ///
    /// - Complexity: One pass over the whole log.
    /// - Throws: `.corruption`, `.closed`.
    public func schemaHistory() throws -> [SchemaChange] {
        let schema = engine.schemas.schema
        var last: [UInt32: EntityLayout] = [:]
        return try engine.layoutCommits().map { layout, commit in
            defer { last[layout.entityID] = layout }
            return SchemaChange(
                sequence: commit.sequence, date: Date(microseconds: commit.timeMicroseconds),
                entityName: layout.entityName,
                differences: StoreSchema.differences(
                    from: last[layout.entityID], to: layout, schema))
        }
    }

    /// `schemaHistory` without blocking.
    public nonisolated(nonsending) func schemaHistory() async throws -> [SchemaChange] {
        try await engine.readElsewhere { try self.schemaHistory() }
    }
}
