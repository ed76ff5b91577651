/// Which plans a query may have. The answer is the same with each: tests hold one against another.
package enum PlanHint: Sendable, Hashable {
    /// The one that is expected to cost least.
    case cheapest
    /// All objects are looked at, and nothing is asked of any index.
    case scan
    /// These indexes are used wherever they can be, whatever it costs, and no others.
    case indexes(Set<UInt32>)
}

/// What is wanted of what a query finds.
enum QueryReads: Sendable {
    case count, ids, rows
}
