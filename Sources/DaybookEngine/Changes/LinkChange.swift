/// A link that a commit added or removed.
package struct LinkChange: Sendable, Hashable {
    /// Whether the link was added; false if it was removed.
    package let isLink: Bool
    package let relation: UInt32
    package let source: UInt64
    package let target: UInt64
    /// The position of the target in the list of the source, or its key; nil for a relation whose
    /// links have no positions. See ``ListPosition`` and ``LinkKey``.
    package var position: [UInt8]?
}
