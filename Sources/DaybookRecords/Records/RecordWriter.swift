package import DaybookBytes

/// Writes the records of a payload. Each function returns the offset of the record that it wrote,
/// which together with the frame's place makes the record's location.
package struct RecordWriter: Sendable {
    /// The records written so far, whole ones only.
    package private(set) var payload: ByteWriter

    /// Writes behind what `payload` holds already.
    package init(_ payload: consuming ByteWriter = ByteWriter(capacity: 4096)) {
        self.payload = payload
    }

    /// How many bytes were written.
    package var count: Int { payload.count }

    /// The written records, in place.
    package var span: Span<UInt8> {
        @_lifetime(borrow self) get { payload.span }
    }

    /// Forgets the written records and keeps the memory.
    package mutating func removeAll() { payload.removeAll() }

    /// An object has this row from now on; `previous` is the sequence of the version it replaces.
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

    /// A row that stands for itself; `id` is its number within its entity.
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

    /// An object is gone; `previous` is the sequence of its last version.
    @discardableResult
    package mutating func remove(entity: UInt32, id: UInt64, previous: UInt64) -> Int {
        let length = Self.objectLength(entity: entity, id: id, previous: previous)
        let offset = begin(.remove, length: length)
        object(entity: entity, id: id, previous: previous)
        return offset
    }

    /// A relation leads from `source` to `target`.
    @discardableResult
    package mutating func link(relation: UInt32, source: UInt64, target: UInt64) -> Int {
        relate(.link, relation: relation, source: source, target: target)
    }

    /// A relation leads no longer from `source` to `target`.
    @discardableResult
    package mutating func unlink(relation: UInt32, source: UInt64, target: UInt64) -> Int {
        relate(.unlink, relation: relation, source: source, target: target)
    }

    /// A list of `source` has `target` at a position.
    @discardableResult
    package mutating func listInsert(
        relation: UInt32, source: UInt64, target: UInt64, position: Span<UInt8>
    ) -> Int {
        place(.listInsert, relation: relation, source: source, target: target, position)
    }

    /// A list of `source` has `target` no more at a position.
    @discardableResult
    package mutating func listRemove(
        relation: UInt32, source: UInt64, target: UInt64, position: Span<UInt8>
    ) -> Int {
        place(.listRemove, relation: relation, source: source, target: target, position)
    }

    /// A layout that later rows name.
    @discardableResult
    package mutating func schema(_ layout: EntityLayout) -> Int {
        var body = ByteWriter(capacity: 512)
        layout.encode(to: &body)
        return record(.schema, body.span)
    }

    /// The end of a transaction.
    @discardableResult
    package mutating func commit(_ commit: CommitRecord) -> Int {
        let offset = begin(.commit, length: 1 + commit.encodedLength)
        commit.encode(to: &payload)
        return offset
    }

    /// What a compaction dropped and what it must not forget.
    @discardableResult
    package mutating func compacted(_ compacted: CompactedRecord) -> Int {
        var body = ByteWriter(capacity: 64)
        compacted.encode(to: &body)
        return record(.compacted, body.span)
    }

    /// A record whose body was encoded before: a layout, or what a compaction notes.
    @discardableResult
    package mutating func encoded(_ kind: Record.Kind, _ body: Span<UInt8>) -> Int {
        record(kind, body)
    }

    /// The bytes of a record of another payload, as they are.
    @discardableResult
    package mutating func copy(_ record: Record, of payload: Span<UInt8>) -> Int {
        let offset = self.payload.count
        self.payload.append(payload.extracting(record.offset..<record.end))
        return offset
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
    }

    private static func objectLength(entity: UInt32, id: UInt64, previous: UInt64) -> Int {
        1 + Varint.length(UInt64(entity)) + Varint.length(id) + Varint.length(previous)
    }
}
