public import Daybook
import DaybookEngine

/// Whole transactions of a log, encoded for other replicas.
public struct ReplicaTransactions: Sendable {
    /// The sequence of the first transaction.
    public var firstSequence: UInt64
    /// The sequence of the last transaction.
    public var lastSequence: UInt64
    /// The times of the first and the last commit, in microseconds since 1970.
    public var timesMicroseconds: ClosedRange<Int64>
    /// The encoded bytes, compressed if that makes them shorter.
    public var bytes: [UInt8]

    init(_ transactions: ShippedTransactions) {
        firstSequence = transactions.firstSequence
        lastSequence = transactions.lastSequence
        timesMicroseconds = transactions.times
        bytes = transactions.bytes
    }
}

/// A position in the log of a store, up to which a copy on another machine may have it.
public struct ReplicaPosition: Sendable, Hashable {
    /// The sequence of the last commit.
    public var sequence: UInt64
    /// The time of that commit, or of a later one, in microseconds since 1970.
    public var timeMicroseconds: UInt64
    /// The place in the replicated log, as ``Replica/place()``; empty if the store is no replica.
    public var place: [UInt8]

    /// Creates a position.
    public init(sequence: UInt64, timeMicroseconds: UInt64, place: [UInt8] = []) {
        self.sequence = sequence
        self.timeMicroseconds = timeMicroseconds
        self.place = place
    }
}

extension Store {
    /// The identity of the store, a UUID. A restored store has an identity of its own.
    public var identity: String { engine.log.store.description }

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
