public import Daybook
import DaybookRows

/// Consecutive events of a store, for a store that collects the events of many.
///
/// An ``EventOutbox`` creates batches, and an ``EventInbox`` appends them. ``bytes`` are the form
/// for files and messages: JSON lines with a checksum, compressed by zstd. The article EventBatches
/// in the documentation describes them.
public struct EventBatch: Sendable {
    /// The identity of the store that has the events, a UUID.
    public let store: String
    /// The place before the first event.
    public let start: EventPosition
    /// The end of the batch with events before this one; nil if the sender did not know it. The
    /// receiver notices missing batches by it.
    public let previous: EventPosition?
    /// The place after the last event, and after commits without events that follow it.
    public let end: EventPosition
    /// The number of events.
    public let eventCount: Int
    /// The encoded batch; empty if it contains no events.
    public let bytes: [UInt8]
    /// The end with the last commit; nil in an empty batch.
    public let batchEnd: EventBatchEnd?
    /// The commits with their events; nil in a batch of an outbox, which is not decoded yet.
    private let decoded: [EventCommit]?

    /// Whether the batch contains no events.
    public var isEmpty: Bool { eventCount == 0 }

    /// A batch of an outbox.
    init(
        store: String, start: EventPosition, previous: EventPosition?, end: EventPosition,
        bytes: [UInt8], eventCount: Int, batchEnd: EventBatchEnd?
    ) {
        (self.store, self.start, self.previous, self.end) = (store, start, previous, end)
        (self.bytes, self.eventCount, self.batchEnd) = (bytes, eventCount, batchEnd)
        decoded = nil
    }

    /// A decoded batch.
    init(
        store: String, start: EventPosition, previous: EventPosition?, end: EventPosition,
        bytes: [UInt8], commits: [EventCommit]
    ) {
        (self.store, self.start, self.previous, self.end) = (store, start, previous, end)
        (self.bytes, decoded) = (bytes, commits)
        eventCount = commits.reduce(0) { $0 + $1.events.count }
        batchEnd = commits.last.map { commit in
            EventBatchEnd(
                place: end, lastCommit: commit.sequence,
                lastCommitMicroseconds: commit.timeMicroseconds)
        }
    }

    /// Decodes a batch. Throws `.corruption` for bytes that are no batch or are damaged, and
    /// `.formatTooNew` for a batch of a newer release. Memory: the text, and its values; see
    /// ``EventBatch/sizeBytesMax``.
    public init(decoding bytes: [UInt8]) throws(DaybookError) {
        self = try EventBatchReader.read(bytes)
    }

    /// The commits with their events.
    func commits() throws(DaybookError) -> [EventCommit] {
        if let decoded { return decoded }
        return isEmpty ? [] : try EventBatchReader.read(bytes).commits()
    }

    /// The maximum size of the decompressed text of a batch: 16 MiB. Decoding needs up to some
    /// thirty times as much memory for a text of many small values.
    public static let sizeBytesMax = 16 << 20
}

/// A commit of a store, with the events of a batch.
struct EventCommit: Sendable {
    struct Event: Sendable {
        /// The number of the event within its commit, from 1.
        var index: UInt64
        var entityName: String
        /// The values by property, as they were read from JSON.
        var members: [String: RowValue]
    }

    var sequence: UInt64
    /// The commit time in microseconds since 1970.
    var timeMicroseconds: Int64
    var metadata: [String: String]
    var events: [Event] = []
}
