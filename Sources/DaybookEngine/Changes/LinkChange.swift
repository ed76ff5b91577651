/// A link that a commit made or undid.
package struct LinkChange: Sendable, Hashable {
    /// Whether it was made, and not undone.
    package let isLink: Bool
    package let relation: UInt32
    package let source: UInt64
    package let target: UInt64
    /// Where in the list of the source the target stands; nil for a relation that is no list. See
    /// ``ListPosition``.
    package let position: [UInt8]?

    package init(
        isLink: Bool, relation: UInt32, source: UInt64, target: UInt64, position: [UInt8]? = nil
    ) {
        self.isLink = isLink
        self.relation = relation
        self.source = source
        self.target = target
        self.position = position
    }
}
