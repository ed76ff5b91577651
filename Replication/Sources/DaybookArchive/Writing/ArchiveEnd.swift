import Daybook
import DaybookReplica

/// The end of the log in an archive.
struct ArchiveEnd: Sendable {
    /// The last sequence.
    var sequence: UInt64
    /// The hash of the last segment.
    var hash: ArchiveHash
    /// The time of the last commit, or an earlier one, in microseconds since 1970.
    var timeMicroseconds: Int64

    init(sequence: UInt64, hash: ArchiveHash, timeMicroseconds: Int64) {
        self.sequence = sequence
        self.hash = hash
        self.timeMicroseconds = timeMicroseconds
    }

    /// The end of a segment.
    init(_ segment: ArchiveSegment, _ hash: ArchiveHash) {
        self.init(
            sequence: segment.lastSequence, hash: hash,
            timeMicroseconds: segment.timesMicroseconds.upperBound)
    }
}

extension ArchiveSegment {
    /// A segment without parts that begins with transactions of a store.
    init(_ store: Store, _ transactions: ReplicaTransactions, after end: ArchiveEnd) {
        self.init(
            store: store.identity, firstSequence: transactions.firstSequence,
            lastSequence: transactions.firstSequence,
            timesMicroseconds: transactions.timesMicroseconds, predecessor: end.hash, place: [],
            parts: [])
    }

    /// Adds transactions whose last commit was made at a time.
    mutating func add(_ part: Part, until timeMicroseconds: Int64) {
        parts.append(part)
        lastSequence = part.lastSequence
        timesMicroseconds =
            timesMicroseconds.lowerBound...max(timesMicroseconds.upperBound, timeMicroseconds)
    }
}
