package import DaybookBytes
package import DaybookEngine
package import DaybookRecords
import DaybookLog

extension Engine {
    /// Writes the whole history, one line per record in the order of the log.
    /// ``load(into:_:options:from:_:)`` builds a store with the same transactions from the lines:
    /// the same sequences, times, metadata and changes. Records that a compaction removed are
    /// missing.
    ///
    /// At ``Durability/always`` the history ends with the last durable transaction. Cost: a
    /// read of the log; memory for a frame. Throws the errors of ``dump(until:_:to:)``.
    package func dumpHistory(
        _ control: OperationControl = OperationControl(),
        to line: ((inout JSONText) throws(DaybookError) -> Void) throws(DaybookError) -> Void
    ) throws(DaybookError) -> DumpCounts {
        try requireOpen()
        let last = readableSequence
        let floor = min(historyFloor, last)
        var counts = DumpCounts()
        counts.sequence = last
        try line { text in
            text.beginObject()
            text.member("history", DumpFormat.version)
            text.member("sequence", last)
            text.member("historyFloor", floor)
            text.endObject()
        }
        // Each record uses the names of its time: a later layout may give a name to another entity.
        var writer = HistoryWriter(schemas: SchemaTable(Schema()))
        var records = LogRecords(
            LogFrames(try log.scan(from: nil), until: last, progress: LogProgress(log)))
        while let (found, sequence) = try records.next(control) {
            let (record, payload) = (found.record, found.payload)
            try control.check()
            try writer.note(record, in: payload)
            let held = writer
            try line { text throws(DaybookError) in
                try held.write(record, in: payload, sequence, to: &text)
            }
            counts.records += 1
            if record.kind == .commit { counts.transactions += 1 }
        }
        let written = counts
        try line { text in
            text.beginObject()
            text.member("end", written.sequence)
            text.member("transactions", written.transactions)
            text.member("records", written.records)
            text.endObject()
        }
        return counts
    }
}

/// Writes records as JSON, with the schema that the earlier records define.
private struct HistoryWriter {
    let schemas: SchemaTable

    /// Adds the layout of a schema record to the schema.
    mutating func note(_ record: Record, in payload: [UInt8]) throws(DaybookError) {
        guard record.kind == .schema else { return }
        try schemas.add([try EntityLayout(decoding: payload.span.extracting(record.body))])
    }

    func write(
        _ record: Record, in payload: [UInt8], _ sequence: UInt64, to text: inout JSONText
    ) throws(DaybookError) {
        let start = text.utf8.count
        text.beginObject()
        text.member("sequence", sequence)
        switch record.kind {
        case .put:
            text.member("put", record.id)
            try of(record, &text)
            text.member("previous", record.previous)
            try row(record, payload, &text)
        case .remove:
            text.member("remove", record.id)
            try of(record, &text)
            text.member("previous", record.previous)
        case .event:
            text.member("event", record.id)
            try of(record, &text)
            try row(record, payload, &text)
        case .link, .unlink, .listInsert, .listRemove: link(record, payload, &text)
        case .schema:
            text.members(of: try EntityLayout(decoding: payload.span.extracting(record.body)))
        case .commit:
            let commit = try CommitRecord(decoding: payload.span.extracting(record.body))
            text.member("commit", commit.timeMicroseconds)
            text.member("metadata", commit.metadata)
        case .compacted:
            let body = payload.span.extracting(record.body)
            Self.write(try CompactedRecord(decoding: body), &text)
        case .erased:
            Self.write(
                try ErasedRecord(decoding: payload.span.extracting(record.body)), &text)
        }
        text.endObject()
        try DumpFormat.checkLength(text.utf8.count - start, "a record of transaction \(sequence)")
    }

    private func of(_ record: Record, _ text: inout JSONText) throws(DaybookError) {
        text.name("of")
        text.string(try schemas.entityName(record.entity))
    }

    private func row(
        _ record: Record, _ payload: [UInt8], _ text: inout JSONText
    ) throws(DaybookError) {
        text.member("layout", record.layout)
        text.name("row")
        try text.exactRow(
            payload.span.extracting(record.row), try schemas.rowLayout(record.layout),
            layouts: schemas.rowLayout)
    }

    /// Writes a link record. The position in a list is base64, so that later positions sort
    /// around it as before.
    private func link(_ record: Record, _ payload: [UInt8], _ text: inout JSONText) {
        let isMade = record.kind == .link || record.kind == .listInsert
        text.member(isMade ? "link" : "unlink", record.target)
        text.member("from", record.source)
        text.member("relation", record.relation)
        guard !record.position.isEmpty else { return }
        text.name("position")
        text.base64(payload.span.extracting(record.position))
    }

    private static func write(_ erased: ErasedRecord, _ text: inout JSONText) {
        text.member("erased", erased.entity)
        text.name("properties")
        text.beginArray()
        for property in erased.properties { text.integer(property) }
        text.endArray()
        switch erased.objects {
        case .count(let count): text.member("objectCount", count)
        case .ids(let ids):
            text.name("ids")
            text.beginArray()
            for id in ids { text.integer(id) }
            text.endArray()
        }
    }

    private static func write(_ compacted: CompactedRecord, _ text: inout JSONText) {
        text.member("compacted", compacted.policy.rawValue)
        text.member("historyFloor", compacted.historyFloor)
        text.name("nextIds")
        text.beginArray()
        for (entity, nextId) in compacted.nextIds.sorted(by: { $0.key < $1.key }) {
            text.integer(entity)
            text.integer(nextId)
        }
        text.endArray()
        text.name("removedEntities")
        text.beginArray()
        for entity in compacted.removedEntities.sorted() { text.integer(entity) }
        text.endArray()
    }
}
