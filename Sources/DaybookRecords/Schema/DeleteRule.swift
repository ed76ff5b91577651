/// The effect of removing an object on the objects at the other end of a relation.
public enum DeleteRule: Sendable {
    /// The other objects stay. Only the links are removed.
    case nullify
    /// The other objects are removed in the same transaction.
    case cascade
    /// The removal fails with `.relationDenied` while a related object exists.
    case deny
}
