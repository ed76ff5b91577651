/// The effect of removing an object on the object at the other end of a link.
package enum DeleteRule: Sendable, Hashable {
    /// The link is removed.
    case nullify
    /// The other object is removed, too.
    case cascade
    /// The removal is rejected.
    case deny
}

/// The rules of a relation, from both sides.
package struct RelationRules: Sendable, Hashable {
    /// The effect on the targets of a removed object.
    package var onSourceRemoved = DeleteRule.nullify
    /// The effect on the sources that refer to a removed object.
    package var onTargetRemoved = DeleteRule.nullify
    /// Whether a target that loses its last link is removed.
    package var removesOrphanTargets = false
    /// Whether a source that loses its last link is removed.
    package var removesOrphanSources = false

    package init() {}
}
