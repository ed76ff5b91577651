/// How a query gets its objects.
struct QueryPlan: Sendable {
    /// The way to what its condition is true of.
    var path: AccessPath
    /// A walk through an index in the wanted order, which ends where enough is found.
    var walk: OrderWalk?
}
