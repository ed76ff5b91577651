import DaybookRecords

/// A way to the objects of an entity of which a condition is true.
///
/// What it leads to are all of them, and, unless the `residual` says that nothing is left to judge,
/// some more.
struct AccessPath: Sendable {
    indirect enum Kind: Sendable {
        case nothing
        /// All objects with ids in a range, in their order.
        case scan(ClosedRange<UInt64>)
        /// Ids that the condition names.
        case ids([UInt64])
        /// What stands in an index that is kept in order, under keys that stand together.
        case keys(IndexPlan.Index, [KeySpan], IndexUse)
        /// What stands in an index of hashes, under some of them.
        case hashes(IndexPlan.Index, [UInt64])
        /// What is at the end of all of these.
        case intersection([AccessPath])
        /// What is at the end of one at least.
        case union([AccessPath])
        /// The objects from which a relation leads to what is at the end of another path.
        case join(QueryRelation, AccessPath)
    }

    /// How an index is used, for people.
    enum IndexUse: String, Sendable {
        case equality, oneOf = "one of", range, prefix, word
    }

    var kind: Kind
    var entity: UInt32
    /// What it is a way to.
    var condition: BoundCondition
    /// What is left to judge of the objects that it leads to.
    var residual: BoundCondition
    /// Whether all that it leads to lives.
    var isLiving: Bool
    /// To how many objects it is expected to lead.
    var estimate: Int
    /// What it takes to get their ids, in nanoseconds.
    var cost: Double
    /// Tells it from the others of its plan.
    var number: Int

    /// Whether the ids are the answer, and no row need be looked at.
    var isExact: Bool { isLiving && residual == .always(true) }
}
