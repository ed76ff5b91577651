/// A copy of a log outside the replicas and their stream, from which a replica catches up if the
/// stream no longer has the transactions that it needs.
public protocol LogArchive: Sendable {
    /// Returns the identity of the store. Throws if there is no archive, or if it cannot be read.
    func storeIdentity() async throws -> String

    /// Adds the archived transactions that a closed replica lacks. Creates the replica if the
    /// directory is missing or empty.
    ///
    /// `sequence` is the last one that is known to be in the replicated log, 0 for a new replica.
    /// Later transactions of the replica are compared with the archive, and are cut off from the
    /// first difference on. The transactions are durable on return. Throws if the archive belongs
    /// to another store, or does not have the transactions that the replica needs next; the replica
    /// then has a part of them, or none.
    func catchUp(directoryPath: String, after sequence: UInt64) async throws -> LogArchiveEnd
}

/// The end of an archive that a replica has read.
public struct LogArchiveEnd: Sendable {
    /// The last sequence in the archive. Later transactions of the replica were not compared.
    public var sequence: UInt64
    /// The last known place in the replicated log, up to which the replica has it; empty if the
    /// archive has none.
    public var place: [UInt8]
    /// The transactions that were removed from the replica.
    public var cuts: [ReplicaCut]

    /// Creates the end of an archive.
    public init(sequence: UInt64, place: [UInt8], cuts: [ReplicaCut]) {
        self.sequence = sequence
        self.place = place
        self.cuts = cuts
    }
}
