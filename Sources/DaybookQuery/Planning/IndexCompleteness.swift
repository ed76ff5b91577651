import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Which indexes tell the truth of all objects, as far as was asked. For one run of a query: its
/// planner and its reader ask the same.
final class IndexCompleteness {
    private let access: QueryAccess
    /// By the numbers of the indexes.
    private var known: [UInt32: Bool] = [:]

    init(_ access: QueryAccess) { self.access = access }

    /// Whether there is no object of which an index does not tell the truth. Cost: a search, once
    /// for each index.
    func isTold(by index: IndexPlan.Index, of entity: UInt32) throws(DaybookError) -> Bool {
        if let known = known[index.indexID] { return known }
        let found = try access.isTruthful(index, of: entity)
        known[index.indexID] = found
        return found
    }
}
