/// The change of one object by a commit.
package struct ObjectChange: Sendable {
    /// The kind as the record shows it. For an update, the object had a version before, which may
    /// be a tombstone: see ``CommitChanges/before(_:)``.
    package let kind: ChangeKind
    package let entity: UInt32
    package let id: UInt64
    /// The row that the commit wrote; nil for a removal.
    package let after: StoredRow?
    /// The commit that wrote the preceding version; 0 if there is none.
    package let previous: UInt64
}
