/// Transactions that were removed from the end of a replica, because they are not in the
/// replicated log.
public struct ReplicaCut: Sendable {
    /// The last sequence that remains.
    public var sequence: UInt64
    /// The last sequence before the removal.
    public var lastSequence: UInt64
    /// The number of removed bytes.
    public var byteCount: Int
    /// The paths of the files with the removed bytes. Daybook never deletes them.
    public var files: [String]
}
