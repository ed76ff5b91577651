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
    private var lines: [UInt8] = []
    /// A line that is being written; it keeps its allocation.
    private var line = JSONText()
    private var eventCount = 0
    private var lastCommit: TransactionMoment?

    /// The number of bytes of the lines.
    var sizeBytes: Int { lines.count }
    var isEmpty: Bool { lastCommit == nil }

    /// The part of ``EventBatch/sizeBytesMax`` for the lines other than those of events.
    private static let reservedSizeBytes = 1 << 20

    init(store: String, start: EventPosition, previous: EventPosition?) {
        (self.store, self.start, self.previous) = (store, start, previous)
    }

    /// Adds an event of a commit. Returns false, without effect, if the batch has no space for it.
    ///
    /// Throws `.corruption` for damaged bytes, and `.overflow` for an event that no batch has space
    /// for.
    mutating func add(
        _ event: HistoryEvent, _ index: UInt64, _ name: String, _ form: EventForm,
        of transaction: HistoryTransaction
    ) throws(DaybookError) -> Bool {
        line.removeAll()
        line.beginObject()
        line.name("event")
        line.integer(index)
        line.name("entity")
        line.string(name)
        line.name("values")
        let record = event.held.record
        try form.write(
            event.held.payload.span.extracting(record.row), layout: record.layout, to: &line)
        line.endObject()
        line.newLine()
        let space = EventBatch.sizeBytesMax - Self.reservedSizeBytes - lines.count
        guard line.utf8.count <= space else {
            if !isEmpty { return false }
            throw Self.tooLong(line.utf8.count, name, transaction.sequence, index)
        }
        let text = line.utf8.array
        if lastCommit?.sequence != transaction.sequence { begin(transaction) }
        lines += text
        eventCount += 1
        return true
    }

    private mutating func begin(_ transaction: HistoryTransaction) {
        lastCommit = transaction.moment
        line.removeAll()
        line.beginObject()
        line.name("commit")
        line.integer(transaction.sequence)
        line.name("time")
        line.integer(transaction.timeMicroseconds)
        line.name("metadata")
        line.beginObject()
        let metadata = SourceNote.given(transaction.metadata)
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            line.name(key)
            line.string(value)
        }
        line.endObject()
        line.endObject()
        line.newLine()
        lines += line.utf8.array
    }

    /// Returns the batch.
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
        let raw = body.utf8.array + lines
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

    private static func tooLong(
        _ count: Int, _ name: String, _ sequence: UInt64, _ index: UInt64
    ) -> DaybookError {
        let next = EventPosition(sequence: sequence, index: index)
        return DaybookError(
            .overflow,
            "The event \(index) of commit \(sequence), of the type \(name), needs \(count) bytes;"
                + " a batch has \(EventBatch.sizeBytesMax). Send it by other means, and continue"
                + " after it: acknowledge the place \(next).",
            details: ["place": "\(next)", "bytes": String(count)])
    }
}
