/// A copy of a log outside the replicas and their stream, from which a replica catches up if the
/// stream no longer has the transactions that it needs.
public protocol LogArchive: Sendable {
    /// Adds the archived transactions that a closed replica lacks, and saves the last known place.
    /// Creates the replica if the directory is missing or empty.
    ///
    /// `sequence` is the last one that is known to be in the replicated log, 0 for a new replica.
    /// Later transactions of the replica are compared with the archive, and are cut off from the
    /// first difference on. Returns these cuts. Throws if the archive belongs to another store, or
    /// does not have the transactions that the replica needs next; the replica then has a part of
    /// them, or none.
    func catchUp(directoryPath: String, after sequence: UInt64) async throws -> [ReplicaCut]
}
