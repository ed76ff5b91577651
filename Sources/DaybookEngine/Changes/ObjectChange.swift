/// What a commit did to one object.
package struct ObjectChange: Sendable {
    package enum Kind: Sendable {
        /// The object was not there before.
        case insert
        /// The object was there before, or had been removed by then: only its version before can
        /// tell, see ``CommitChanges/before(_:)``.
        case update
        case remove
        /// An event, which nothing comes before and nothing follows.
        case event
    }

    package let kind: Kind
    package let entity: UInt32
    package let id: UInt64
    /// The row since the commit; nil for a removal.
    package let after: StoredRow?
    /// The commit that wrote the version before; 0 for none.
    package let previous: UInt64

    package init(kind: Kind, entity: UInt32, id: UInt64, after: StoredRow?, previous: UInt64) {
        self.kind = kind
        self.entity = entity
        self.id = id
        self.after = after
        self.previous = previous
    }
}
