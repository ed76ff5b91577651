/// Where a relation stands in the description of an entity.
enum RelationPlace: Sendable, Hashable {
    /// The property at an index.
    case field(Int)
    /// The backlink at an index among the backlinks.
    case backlink(Int)
}
