package import DaybookBytes

/// Writes the records of a payload. Each method returns the offset of its record, which forms the
/// record's location together with the frame's offset.
package struct RecordWriter: Sendable {
    /// The written records.
    package private(set) var payload: ByteWriter
    private var lowestId = UInt64.max
    private var highestId: UInt64 = 0

    /// Appends to the existing content of `payload`.
    package init(_ payload: consuming ByteWriter = ByteWriter(capacity: 4096)) {
        self.payload = payload
    }

    /// The number of written bytes.
    package var count: Int { payload.count }

    /// The range of the ids of the written puts and removals; nil without any.
    package var ids: ClosedRange<UInt64>? { highestId > 0 ? lowestId...highestId : nil }

    /// The written records, without a copy.
    package var span: Span<UInt8> {
        @_lifetime(borrow self) get { payload.span }
    }

    /// Discards the written records and keeps the allocation.
    package mutating func removeAll() {
        payload.removeAll()
        (lowestId, highestId) = (.max, 0)
    }

    /// Writes a new version of an object; `previous` is the sequence of the version it replaces.
    @discardableResult
    package mutating func put(
        entity: UInt32, id: UInt64, previous: UInt64, layout: UInt32, row: Span<UInt8>
    ) -> Int {
        precondition(layout > 0, "a row has a layout")
        let length =
            Self.objectLength(entity: entity, id: id, previous: previous)
            + Varint.length(UInt64(layout)) + row.count
        let offset = begin(.put, length: length)
        object(entity: entity, id: id, previous: previous)
        payload.varint(UInt64(layout))
        payload.append(row)
        return offset
    }

    /// Writes an event; `id` is its number within its entity.
    @discardableResult
    package mutating func event(
        entity: UInt32, id: UInt64, layout: UInt32, row: Span<UInt8>
    ) -> Int {
        precondition(entity > 0 && id > 0 && layout > 0, "entities, ids and layouts count from 1")
        let length =
            1 + Varint.length(UInt64(entity)) + Varint.length(id)
            + Varint.length(UInt64(layout)) + row.count
        let offset = begin(.event, length: length)
        payload.varint(UInt64(entity))
        payload.varint(id)
        payload.varint(UInt64(layout))
        payload.append(row)
        return offset
    }

    /// Writes the removal of an object; `previous` is the sequence of its last version.
    @discardableResult
    package mutating func remove(entity: UInt32, id: UInt64, previous: UInt64) -> Int {
        let length = Self.objectLength(entity: entity, id: id, previous: previous)
        let offset = begin(.remove, length: length)
        object(entity: entity, id: id, previous: previous)
        return offset
    }

    /// Writes a new link.
    @discardableResult
    package mutating func link(relation: UInt32, source: UInt64, target: UInt64) -> Int {
        relate(.link, relation: relation, source: source, target: target)
    }

    /// Writes a removed link.
    @discardableResult
    package mutating func unlink(relation: UInt32, source: UInt64, target: UInt64) -> Int {
        relate(.unlink, relation: relation, source: source, target: target)
    }

    /// Writes an inserted list element.
    @discardableResult
    package mutating func listInsert(
        relation: UInt32, source: UInt64, target: UInt64, position: Span<UInt8>
    ) -> Int {
        place(.listInsert, relation: relation, source: source, target: target, position)
    }

    /// Writes a removed list element.
    @discardableResult
    package mutating func listRemove(
        relation: UInt32, source: UInt64, target: UInt64, position: Span<UInt8>
    ) -> Int {
        place(.listRemove, relation: relation, source: source, target: target, position)
    }

    /// Writes a layout for later rows.
    @discardableResult
    package mutating func schema(_ layout: EntityLayout) -> Int {
        var body = ByteWriter(capacity: 512)
        layout.encode(to: &body)
        return record(.schema, body.span)
    }

    /// Writes the end of a transaction.
    @discardableResult
    package mutating func commit(_ commit: CommitRecord) -> Int {
        let offset = begin(.commit, length: 1 + commit.encodedLength)
        commit.encode(to: &payload)
        return offset
    }

    /// Writes the result of a compaction.
    @discardableResult
    package mutating func compacted(_ compacted: CompactedRecord) -> Int {
        var body = ByteWriter(capacity: 64)
        compacted.encode(to: &body)
        return record(.compacted, body.span)
    }

    /// Writes an erasure.
    @discardableResult
    package mutating func erased(_ erased: ErasedRecord) -> Int {
        var body = ByteWriter(capacity: 64)
        erased.encode(to: &body)
        return record(.erased, body.span)
    }

    /// Writes a record with an encoded body.
    @discardableResult
    package mutating func encoded(_ kind: Record.Kind, _ body: Span<UInt8>) -> Int {
        record(kind, body)
    }

    /// Copies a record of another payload.
    @discardableResult
    package mutating func copy(_ record: Record, of payload: Span<UInt8>) -> Int {
        let offset = self.payload.count
        self.payload.append(payload.extracting(record.offset..<record.end))
        if record.kind == .put || record.kind == .remove { note(record.id) }
        return offset
    }

    /// Appends the records of another writer.
    package mutating func append(_ other: RecordWriter) {
        payload.append(other.span)
        guard let ids = other.ids else { return }
        note(ids.lowerBound)
        note(ids.upperBound)
    }

    private mutating func relate(
        _ kind: Record.Kind, relation: UInt32, source: UInt64, target: UInt64
    ) -> Int {
        precondition(relation > 0 && source > 0 && target > 0, "relations and ids count from 1")
        let length =
            1 + Varint.length(UInt64(relation)) + Varint.length(source) + Varint.length(target)
        let offset = begin(kind, length: length)
        payload.varint(UInt64(relation))
        payload.varint(source)
        payload.varint(target)
        return offset
    }

    private mutating func place(
        _ kind: Record.Kind, relation: UInt32, source: UInt64, target: UInt64,
        _ position: Span<UInt8>
    ) -> Int {
        precondition(relation > 0 && source > 0 && target > 0, "relations and ids count from 1")
        precondition(!position.isEmpty, "a list has no empty position")
        let length =
            1 + Varint.length(UInt64(relation)) + Varint.length(source) + Varint.length(target)
            + position.count
        let offset = begin(kind, length: length)
        payload.varint(UInt64(relation))
        payload.varint(source)
        payload.varint(target)
        payload.append(position)
        return offset
    }

    private mutating func record(_ kind: Record.Kind, _ body: Span<UInt8>) -> Int {
        let offset = begin(kind, length: 1 + body.count)
        payload.append(body)
        return offset
    }

    private mutating func begin(_ kind: Record.Kind, length: Int) -> Int {
        let offset = payload.count
        payload.varint(UInt64(length))
        payload.uint8(kind.rawValue)
        return offset
    }

    private mutating func object(entity: UInt32, id: UInt64, previous: UInt64) {
        precondition(entity > 0 && id > 0, "entities and ids count from 1")
        payload.varint(UInt64(entity))
        payload.varint(id)
        payload.varint(previous)
        note(id)
    }

    private mutating func note(_ id: UInt64) {
        lowestId = min(lowestId, id)
        highestId = max(highestId, id)
    }

    private static func objectLength(entity: UInt32, id: UInt64, previous: UInt64) -> Int {
        1 + Varint.length(UInt64(entity)) + Varint.length(id) + Varint.length(previous)
    }
}
