/// What removing an object does to the objects at the other end of a relation.
public enum DeleteRule: Sendable, Hashable {
    /// They stay, and the links between them and the object are removed.
    case nullify
    /// They are removed as well, by the rules of their own relations.
    case cascade
    /// The object is not removed while a link to one of them is there: the removal throws
    /// `.relationDenied`, and nothing is changed.
    case deny
}
