/// How a query gets its objects.
struct QueryPlan: Sendable {
    /// The path to the objects for which the condition is true.
    var path: AccessPath
    /// A scan of an index in the wanted order, which stops when enough objects are found.
    var walk: OrderScan?
}

/// Which plans a query may have. Each plan gives the same answer: tests compare them.
package enum PlanHint: Sendable, Hashable {
    /// The plan with the lowest expected cost.
    case cheapest
    /// A scan of all objects, without indexes.
    case scan
    /// These indexes wherever they can be used, whatever the cost, and no others.
    case indexes(Set<UInt32>)
}

/// What the caller needs of the objects that a query finds.
enum QueryReads: Sendable {
    case count, ids, rows
}
