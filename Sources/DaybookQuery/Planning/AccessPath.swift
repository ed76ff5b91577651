import DaybookRecords

/// A set of candidate objects for a condition, and the residual predicate.
///
/// The candidates include all matching objects; if `residual` is not constantly true, they may
/// include others.
struct AccessPath: Sendable {
    indirect enum Kind: Sendable {
        case nothing
        /// All objects with ids in a range, in the order of ids.
        case scan(ClosedRange<UInt64>)
        /// The ids in the condition.
        case ids([UInt64])
        /// The objects in an ordered index with keys in some spans.
        case keys(IndexPlan.Index, [KeySpan], IndexUse)
        /// The objects in a hash index with some hashes.
        case hashes(IndexPlan.Index, [UInt64])
        /// The objects in all of these paths.
        case intersection([AccessPath])
        /// The objects in at least one of these paths.
        case union([AccessPath])
        /// The objects from which a relation leads to the objects of another path.
        case join(QueryRelation, AccessPath)
    }

    /// The use of an index, for descriptions.
    enum IndexUse: String, Sendable {
        case equality, oneOf = "one of", range, prefix, word
    }

    var kind: Kind
    var entity: UInt32
    /// The condition whose matches the path finds.
    var condition: BoundCondition
    /// The predicate that the candidates must still be evaluated with.
    var residual: BoundCondition
    /// Whether all candidates are known to exist.
    var isLiving: Bool
    /// The estimated number of candidates.
    var estimate: Int
    /// The estimated cost of reading the candidate ids, in nanoseconds.
    var cost: Double
    /// The number of the path, unique in its plan.
    var number: Int

    /// Whether the candidate ids are the answer, so no row must be read.
    var isExact: Bool { isLiving && residual == .always(true) }
}
