public import Daybook

/// The state of a replica.
public struct ReplicationStatus: Sendable {
    /// The number of the last claim that the replica knows.
    public var term: UInt64 = 0
    /// The last sequence of the store in the replicated log, as far as the replica knows.
    public var logSequence: UInt64 = 0
    /// The last sequence in the local log. For a writer, the difference to ``logSequence`` is the
    /// number of commits that are not shipped.
    public var localSequence: UInt64 = 0
    /// The sequence of the last message of the stream that the replica has read or written.
    public var streamSequence: UInt64 = 0
    /// The number of messages that are not part of the log: foreign, late or repeated ones.
    public var skippedCount = 0
    /// The last error of the attempts that continue; nil after a success.
    public var failure: (any Error)?
    /// The error that ended replication; nil while it runs.
    public var stopped: DaybookError?
}

/// The state that a shipper or a reader of a log publishes.
struct ReplicaState: Sendable {
    var status = ReplicationStatus()
    /// The log up to the last message that the replica has.
    private(set) var chain: ReplicationChain

    init(_ chain: ReplicationChain) {
        self.chain = chain
        note(chain)
    }

    /// Records a success.
    mutating func note(_ chain: ReplicationChain) {
        self.chain = chain
        status.term = chain.term
        status.logSequence = chain.lastSequence
        status.streamSequence = chain.streamSequence
        status.skippedCount = chain.skippedCount
        status.failure = nil
    }
}
