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
