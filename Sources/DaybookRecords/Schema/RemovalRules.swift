/// The delete rules of a relation, from both sides.
package struct RemovalRules: Sendable, Hashable {
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
