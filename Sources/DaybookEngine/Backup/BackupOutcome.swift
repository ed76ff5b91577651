package import DaybookBytes
package import DaybookLog

/// What a backup came to.
package struct BackupOutcome: Sendable {
    /// The store that it is a backup of.
    package var store: StoreIdentity
    /// The last transaction in it: it has all up to that one, and nothing of any later.
    package var sequence: UInt64
    /// The last transaction of the backup that it took the place of; nil where it is the first.
    package var previousSequence: UInt64?
    package var segmentCount: Int
    /// How its segments came there.
    package var segments: LogBackup.Tally
    /// What its log takes; what linked segments take, they share with the store.
    package var lengthBytes: Int
    /// The sequence of the snapshot that went along, so that it opens fast; nil where there was
    /// none.
    package var snapshotSequence: UInt64?
    /// Why the places of the named consumers did not go along; older ones, or none, stand in the
    /// backup then, and the consumers will be told again what they know.
    package var consumerFailure: DaybookError?
}
