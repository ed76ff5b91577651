/// The change of one object by a commit.
package struct ObjectChange: Sendable {
    package enum Kind: Sendable {
        /// The object had no version before.
        case insert
        /// The object had a version before. That version may be a tombstone: see
        /// ``CommitChanges/before(_:)``.
        case update
        case remove
        /// An event. It has no preceding and no following version.
        case event
    }

    package let kind: Kind
    package let entity: UInt32
    package let id: UInt64
    /// The row that the commit wrote; nil for a removal.
    package let after: StoredRow?
    /// The commit that wrote the preceding version; 0 if there is none.
    package let previous: UInt64

    package init(kind: Kind, entity: UInt32, id: UInt64, after: StoredRow?, previous: UInt64) {
        self.kind = kind
        self.entity = entity
        self.id = id
        self.after = after
        self.previous = previous
    }
}
