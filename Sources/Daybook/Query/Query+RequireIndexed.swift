import DaybookBytes
import DaybookQuery

extension Query {
    /// Throws if the query reads all objects of an entity instead of an index, so that a test fails
    /// when a query becomes slow with the number of objects. Does not run the query.
    ///
    /// ```swift
    /// try people.query { $0.email == "ada@example.com" }.build().requireIndexed()
    /// ```
    ///
    /// The plan depends on the objects: with few of them, the planner may prefer a scan to an
    /// index. Call it on a store with a realistic number of objects.
    ///
    /// - Throws: `.unindexedQuery` with the plan in its message and its details, and the errors of
    ///   every query.
    public func requireIndexed() throws { try Self.require(try explain()) }

    /// `requireIndexed` without blocking.
    public nonisolated(nonsending) func requireIndexed() async throws {
        try Self.require(try await explain())
    }

    private static func require(_ plan: ExplainedQuery) throws(DaybookError) {
        let scanned = plan.scannedEntities
        guard !scanned.isEmpty else { return }
        throw DaybookError(
            .unindexedQuery,
            "The query reads all objects of \(scanned.joined(separator: " and ")). Add an index for"
                + " its condition. Its plan is:\n\(plan)",
            details: ["entities": scanned.joined(separator: ", "), "plan": plan.description])
    }
}
