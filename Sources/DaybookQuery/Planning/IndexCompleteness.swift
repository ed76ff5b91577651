import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Whether indexes are complete for all objects, cached. The planner and the reader of one run
/// share it.
final class IndexCompleteness {
    private let access: QueryAccess
    /// By index id.
    private var known: [UInt32: Bool] = [:]

    init(_ access: QueryAccess) { self.access = access }

    /// Whether an index is complete and current for all objects of an entity. Cost: one lookup,
    /// once per index.
    func isTold(by index: IndexPlan.Index, of entity: UInt32) throws(DaybookError) -> Bool {
        if let known = known[index.indexID] { return known }
        let found = try access.isTruthful(index, of: entity)
        known[index.indexID] = found
        return found
    }
}
