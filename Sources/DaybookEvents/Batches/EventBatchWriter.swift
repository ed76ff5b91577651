import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookRows

/// Writes the lines of a batch.
struct EventBatchWriter {
    private let start: EventPosition
    private let previous: EventPosition?
    private let store: String
    /// The lines of commits and events.
    private var lines = JSONText()
    private var eventCount = 0
    private var lastCommit: TransactionMoment?
    private var lastIndex: UInt64 = 0

    /// The number of bytes of the lines.
    var sizeBytes: Int { lines.utf8.count }
    var isEmpty: Bool { lastCommit == nil }

    init(store: String, start: EventPosition, previous: EventPosition?) {
        (self.store, self.start, self.previous) = (store, start, previous)
    }

    /// Begins a commit. Its events follow; there is at least one.
    mutating func begin(_ transaction: HistoryTransaction) {
        lastCommit = transaction.moment
        lines.beginObject()
        lines.name("commit")
        lines.integer(transaction.sequence)
        lines.name("time")
        lines.integer(transaction.timeMicroseconds)
        lines.name("metadata")
        lines.beginObject()
        let metadata = SourceNote.given(transaction.metadata)
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            lines.name(key)
            lines.string(value)
        }
        lines.endObject()
        lines.endObject()
        lines.newLine()
    }

    /// Adds an event to the last commit. Throws `.corruption` for damaged bytes.
    mutating func add(
        _ event: HistoryEvent, _ index: UInt64, _ name: String, _ form: EventForm
    ) throws(DaybookError) {
        lines.beginObject()
        lines.name("event")
        lines.integer(index)
        lines.name("entity")
        lines.string(name)
        lines.name("values")
        let record = event.held.record
        try form.write(
            event.held.payload.span.extracting(record.row), layout: record.layout, to: &lines)
        lines.endObject()
        lines.newLine()
        eventCount += 1
        lastIndex = index
    }

    /// Returns the batch. Throws `.overflow` if it is longer than a reader accepts.
    func batch(end: EventPosition) throws(DaybookError) -> EventBatch {
        guard let lastCommit else {
            return EventBatch(
                store: store, start: start, previous: previous, end: end, bytes: [], eventCount: 0,
                batchEnd: nil)
        }
        var body = JSONText()
        body.beginObject()
        body.name("store")
        body.string(store)
        body.name("start")
        Self.write(start, to: &body)
        if let previous {
            body.name("previous")
            Self.write(previous, to: &body)
        }
        body.name("end")
        Self.write(end, to: &body)
        body.endObject()
        body.newLine()
        let raw = body.utf8.array + lines.utf8.array
        guard raw.count <= EventBatch.sizeBytesMax else { throw tooLong(raw.count) }
        var header = JSONText()
        header.beginObject()
        header.name("format")
        header.string(EventBatchReader.formatName)
        header.name("version")
        header.integer(EventBatchReader.version)
        header.name("bytes")
        header.integer(raw.count)
        header.name("xxh64")
        header.string(String(XXH64.hash(raw.span), radix: 16))
        header.endObject()
        header.newLine()
        let bytes = header.utf8.array + (try Zstd.compress(raw.span, level: 3))
        return EventBatch(
            store: store, start: start, previous: previous, end: end, bytes: bytes,
            eventCount: eventCount,
            batchEnd: EventBatchEnd(
                place: end, lastCommit: lastCommit.sequence,
                lastCommitMicroseconds: lastCommit.timeMicroseconds))
    }

    private static func write(_ position: EventPosition, to text: inout JSONText) {
        text.beginArray()
        text.integer(position.sequence)
        text.integer(position.index)
        text.endArray()
    }

    private func tooLong(_ count: Int) -> DaybookError {
        let place = EventPosition(sequence: lastCommit?.sequence ?? 0, index: lastIndex)
        return DaybookError(
            .overflow,
            "The event before the place \(place) needs \(count) bytes in a batch; the"
                + " maximum is \(EventBatch.sizeBytesMax). Continue after that place, and send the"
                + " event by other means.",
            details: ["place": "\(place)", "bytes": String(count)])
    }
}
