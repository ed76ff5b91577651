/// The rules of a relation for the removal of objects, from both sides.
package struct RemovalRules: Sendable, Hashable {
    /// The rule for the targets of a removed object.
    package var onSourceRemoved = DeleteRule.nullify
    /// The rule for the sources that link to a removed object.
    package var onTargetRemoved = DeleteRule.nullify
    /// Whether a target that loses its last link is removed.
    package var removesOrphanTargets = false
    /// Whether a source that loses its last link is removed.
    package var removesOrphanSources = false

    package init() {}
}
