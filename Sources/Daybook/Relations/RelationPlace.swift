/// The place of a relation in the description of an entity.
enum RelationPlace: Sendable, Hashable {
    /// The property at an index of the description.
    case field(Int)
    /// The backlink at an index in the backlinks of the description.
    case backlink(Int)
}
