import CommandSupport
import DaybookReplication

/// The state of a replica.
struct ReplicaLine: Encodable {
    var term: UInt64
    var sequence: UInt64
    var message: UInt64
    var skipped: Int
    var removed: [Removed]
    var failure: String?

    struct Removed: Encodable {
        var first: UInt64
        var last: UInt64
    }

    init(_ status: ReplicationStatus, removed: [ClosedRange<UInt64>]) {
        term = status.term
        sequence = status.localSequence
        message = status.streamSequence
        skipped = status.skippedCount
        self.removed = removed.map { Removed(first: $0.lowerBound, last: $0.upperBound) }
        failure = (status.stopped ?? status.failure).map { "\($0)" }
    }
}

/// The state of a log.
struct LogLine: Encodable {
    var store: String
    var term: UInt64
    var sequence: UInt64
    var firstMessage: UInt64
    var lastMessage: UInt64
    var time: String

    init(_ status: LogStatus) {
        store = status.store
        term = status.term
        sequence = status.sequence
        firstMessage = status.messages.lowerBound
        lastMessage = status.messages.upperBound
        time = timeText(microseconds: Int64(clamping: status.timeMicroseconds))
    }
}
