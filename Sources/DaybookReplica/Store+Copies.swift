public import Daybook
import DaybookEngine

extension Store {
    /// The identity of the store, a UUID. A restored store has an identity of its own.
    public var identity: String { engine.log.store.description }

    /// A hash of the current objects and relations. Copies with the same last sequence have the
    /// same hash. Cost: a read of the log.
    public func stateHash() throws -> UInt64 { try engine.stateHash() }

    /// Makes the commits up to now durable, and returns the position of the last one that readers
    /// see. Throws `.durabilityUnknown`, `.closed`, and the errors of a refresh.
    public func durablePosition() throws -> ReplicaPosition {
        let position = try engine.durablePosition()
        return ReplicaPosition(
            sequence: position.sequence, timeMicroseconds: position.timeMicroseconds)
    }

    /// Returns the next whole transactions after a sequence, with about `sizeBytesMax` bytes of
    /// records and at least one transaction; nil if there is none up to `last`, the sequence of
    /// a ``durablePosition()``.
    ///
    /// Throws `.historyTruncated` if a compaction dropped a part of them, `.overflow` for a
    /// transaction of 4 GiB or more, `.corruption`, `.closed`.
    public func transactions(
        after sequence: UInt64, through last: UInt64, sizeBytesMax: Int
    ) throws -> ReplicaTransactions? {
        try engine.shippedTransactions(
            after: sequence, through: last, sizeBytesMax: sizeBytesMax
        ).map(ReplicaTransactions.init)
    }

    /// Whether the store has the encoded transactions that follow a sequence, byte for byte, as far
    /// as a compaction left their records. Throws `.corruption` and `.formatTooNew` for bytes that
    /// are no transactions, and `.closed`.
    public func contains(_ bytes: [UInt8], after sequence: UInt64) throws -> Bool {
        try engine.contains(shipped: bytes, after: sequence)
    }
}
