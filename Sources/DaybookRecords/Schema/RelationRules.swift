/// What becomes of the object at the other end of a link when an object is removed.
package enum DeleteRule: Sendable, Hashable {
    /// Only the link goes.
    case nullify
    /// It is removed, too.
    case cascade
    /// It stays, and so must the object: the removal is refused.
    case deny
}

/// The rules of a relation, from both sides.
package struct RelationRules: Sendable, Hashable {
    /// What becomes of the targets of an object that is removed.
    package var onSourceRemoved = DeleteRule.nullify
    /// What becomes of the sources that lead to an object that is removed.
    package var onTargetRemoved = DeleteRule.nullify
    /// Whether a target that loses its last link is removed.
    package var removesOrphanTargets = false
    /// Whether a source that loses its last link is removed.
    package var removesOrphanSources = false

    package init() {}
}
