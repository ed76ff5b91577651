import DaybookEngine

extension Store {
    /// Returns past commits with the numbers of their changes, newest first.
    ///
    /// ```swift
    /// var before: UInt64?
    /// repeat {
    ///     let page = try store.commits(before: before, metadata: ["author": "ada"])
    ///     for commit in page.commits { print(commit.sequence, commit.date, commit.objects) }
    ///     before = page.next
    /// } while before != nil
    /// ```
    ///
    /// The commits are the durable ones. A compaction may have dropped changes of older commits,
    /// and whole commits: they are not counted.
    ///
    /// - Parameters:
    ///   - sequence: The sequence before which the page begins; nil for the newest commit.
    ///   - limit: The maximum number of commits.
    ///   - entityName: Only commits that change objects of this entity, or links from or to them.
    ///     The counts contain these changes only.
    ///   - metadata: Only commits whose metadata contain all of these pairs, such as
    ///     `["author": "ada"]`.
    /// - Returns: The page. It has fewer commits than `limit`, and perhaps none, if few of the
    ///   20,000 commits that one call reads at most have the entity and the metadata;
    ///   ``CommitPage/next`` continues.
    /// - Complexity: One pass over the log of the commits that are read. Memory does not depend on
    ///   the sizes of the commits.
    /// - Throws: `.invalidArgument` for an entity that the store does not have, `.corruption`,
    ///   `.closed`.
    public func commits(
        before sequence: UInt64? = nil, limit: Int = 100, of entityName: String? = nil,
        metadata: [String: String] = [:]
    ) throws -> CommitPage {
        let filter = EventFilter(entity: entityName, metadata: metadata)
        let found = try engine.commits(before: sequence, limit: limit, matching: filter)
        let schemas = engine.schemas
        return CommitPage(
            commits: found.commits.map { CommitSummary($0, schemas) }, next: found.next)
    }

    /// `commits` without blocking.
    public nonisolated(nonsending) func commits(
        before sequence: UInt64? = nil, limit: Int = 100, of entityName: String? = nil,
        metadata: [String: String] = [:]
    ) async throws -> CommitPage {
        try await engine.readElsewhere {
            try self.commits(before: sequence, limit: limit, of: entityName, metadata: metadata)
        }
    }

    /// Returns a past commit with its first changes; nil if the log has no commit with this
    /// sequence.
    ///
    /// - Parameters:
    ///   - sequence: The sequence of the commit.
    ///   - limit: The maximum number of changes of objects and links together.
    ///     ``Commit/hasMoreChanges`` tells whether there are more.
    /// - Complexity: A read of the commit, and memory for the returned changes.
    /// - Throws: `.corruption`, `.closed`.
    public func commit(_ sequence: UInt64, changeLimit limit: Int = .max) throws -> Commit? {
        try engine.commit(sequence, limit: limit).map { found in
            Commit(found.changes, types, hasMoreChanges: found.hasMore)
        }
    }

    /// `commit` without blocking.
    public nonisolated(nonsending) func commit(
        _ sequence: UInt64, changeLimit limit: Int = .max
    ) async throws -> Commit? {
        try await engine.readElsewhere { try self.commit(sequence, changeLimit: limit) }
    }

    /// Returns the sequence of the last commit at or before a moment; 0 before the first commit.
    ///
    /// - Complexity: None for a sequence; for a date, a read of one segment of the log.
    /// - Throws: `.invalidArgument` for a sequence that does not exist yet, `.historyTruncated` if
    ///   a compaction dropped the state of that moment, `.corruption`, `.closed`.
    public func sequence(at moment: HistoryMoment) throws -> UInt64 {
        try engine.sequence(at: try moment.point)
    }

    /// The first sequence whose state ``view(at:)`` can return; 0 if the history is complete. A
    /// compaction raises it. Never blocks.
    public var historyFloor: UInt64 { engine.historyFloor }
}
