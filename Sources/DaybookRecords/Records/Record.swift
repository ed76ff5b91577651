package import DaybookBytes

/// A decoded record: its numbers, and the ranges of its bytes in the payload.
///
/// Nothing is copied. Fields that the kind does not have are zero or empty.
@usableFromInline
package struct Record: Sendable, Equatable {
    package var kind: Kind
    /// The offset of the record in its payload, which a location contains.
    package var offset: Int
    /// The offset of the next record.
    package var end: Int

    /// The entity of a put, remove or event.
    package var entity: UInt32 = 0
    /// The id of the object of a put or remove, or the number of an event, from 1.
    package var id: UInt64 = 0
    /// The sequence of the version that a put or remove replaces; 0 if there is none.
    package var previous: UInt64 = 0
    /// The layout of the row of a put or event.
    package var layout: UInt32 = 0
    /// The row of a put or event.
    package var row: Range<Int> = 0..<0

    /// The relation of a link, unlink or list record.
    package var relation: UInt32 = 0
    /// The source id of a link or unlink.
    package var source: UInt64 = 0
    /// The target id of a link or unlink.
    package var target: UInt64 = 0
    /// The position of the target in the source's list; see ``ListPosition``. It shares its storage
    /// with `row`, because no record has both and a get copies a record.
    package var position: Range<Int> {
        get { row }
        set { row = newValue }
    }

    /// Everything after the kind.
    package var body: Range<Int>
}

extension Record {
    /// Decodes the record at `offset`, the offset in an index entry.
    ///
    /// Throws `.corruption` if there is no record of a known kind, and `.formatTooNew` if this
    /// release cannot read the kind. Costs about ten nanoseconds.
    package static func at(
        _ offset: Int, in payload: Span<UInt8>
    ) throws(DaybookError) -> Record {
        guard offset >= 0, offset < payload.count else {
            throw damaged("no record begins there", at: offset)
        }
        var position = offset
        let end = try recordEnd(in: payload, &position)
        guard let record = try parse(payload, from: offset, body: position, end: end) else {
            throw damaged("a record has an unknown kind", at: offset)
        }
        return record
    }

    /// The end of the record whose length is at `position`; advances `position` to the record's
    /// body.
    @inline(__always)
    static func recordEnd(
        in payload: Span<UInt8>, _ position: inout Int
    ) throws(DaybookError) -> Int {
        let offset = position
        let length = try varint(payload, &position, end: payload.count, record: offset)
        guard length > 0 else { throw damaged("a record is empty", at: offset) }
        guard length <= UInt64(payload.count - position) else {
            throw damaged("a record of \(length) bytes runs past the end", at: offset)
        }
        return position + Int(length)
    }

    /// Whether a record is a commit record or a put or remove of an object, or of a kind that only
    /// ``parse(_:from:body:end:)`` can judge.
    @inline(__always)
    static func isCommitOrVersion(
        of entity: UInt32, _ id: UInt64, in payload: Span<UInt8>, from offset: Int, body: Int,
        end: Int
    ) throws(DaybookError) -> Bool {
        switch Kind(rawValue: payload[body]) {
        case .put, .remove:
            var position = body + 1
            let found = try varint(payload, &position, end: end, record: offset)
            guard found == UInt64(entity) else { return false }
            return try varint(payload, &position, end: end, record: offset) == id
        case .commit, nil: return true
        default: return false
        }
    }

    /// Decodes the body of a record; nil for a skippable kind.
    static func parse(
        _ payload: Span<UInt8>, from offset: Int, body: Int, end: Int
    ) throws(DaybookError) -> Record? {
        let number = payload[body]
        guard let kind = Kind(rawValue: number) else {
            if number >= RecordFormat.skippableKindMin { return nil }
            throw DaybookError(
                .formatTooNew,
                "A record of kind \(number) was written by a newer release; open it with that.",
                details: ["offset": "\(offset)", "kind": "\(number)"])
        }
        var position = body + 1
        var record = Record(kind: kind, offset: offset, end: end, body: position..<end)
        switch kind {
        case .put:
            record.entity = try entityOrRelation(payload, &position, end: end, record: offset)
            record.id = try identifier(payload, &position, end: end, record: offset)
            record.previous = try varint(payload, &position, end: end, record: offset)
            record.layout = try layout(payload, &position, end: end, record: offset)
            record.row = position..<end
            position = end
        case .event:
            record.entity = try entityOrRelation(payload, &position, end: end, record: offset)
            record.id = try identifier(payload, &position, end: end, record: offset)
            record.layout = try layout(payload, &position, end: end, record: offset)
            record.row = position..<end
            position = end
        case .remove:
            record.entity = try entityOrRelation(payload, &position, end: end, record: offset)
            record.id = try identifier(payload, &position, end: end, record: offset)
            record.previous = try varint(payload, &position, end: end, record: offset)
        case .link, .unlink:
            record.relation = try entityOrRelation(payload, &position, end: end, record: offset)
            record.source = try identifier(payload, &position, end: end, record: offset)
            record.target = try identifier(payload, &position, end: end, record: offset)
        case .listInsert, .listRemove:
            record.relation = try entityOrRelation(payload, &position, end: end, record: offset)
            record.source = try identifier(payload, &position, end: end, record: offset)
            record.target = try identifier(payload, &position, end: end, record: offset)
            record.position = position..<end
            guard !record.position.isEmpty,
                record.position.count <= RecordFormat.positionLengthBytesMax,
                payload[end - 1] != 0
            else { throw damaged("a list has no such position", at: offset) }
            position = end
        case .schema, .commit, .compacted, .erased:
            position = end
        }
        guard position == end else {
            throw damaged("a record has another length than it states", at: offset)
        }
        return record
    }

    /// Decodes a number before `end`, in its shortest form; one byte is the common case.
    @inline(__always)
    static func varint(
        _ payload: Span<UInt8>, _ position: inout Int, end: Int, record: Int
    ) throws(DaybookError) -> UInt64 {
        if position < end {
            let byte = payload[position]
            if byte < 0x80 {
                position += 1
                return UInt64(byte)
            }
        }
        return try longVarint(payload, &position, end: end, record: record)
    }

    private static func longVarint(
        _ payload: Span<UInt8>, _ position: inout Int, end: Int, record: Int
    ) throws(DaybookError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < end {
            let byte = payload[position]
            position += 1
            if shift == 63 && byte > 1 { throw damaged("a number exceeds 64 bits", at: record) }
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 {
                if byte == 0 && shift > 0 {
                    throw damaged("a number has needless bytes", at: record)
                }
                return value
            }
            shift += 7
        }
        throw damaged("a number runs past the end", at: record)
    }

    /// Decodes an entity or relation number, from 1 to the highest number with a page tree.
    @inline(__always)
    private static func entityOrRelation(
        _ payload: Span<UInt8>, _ position: inout Int, end: Int, record: Int
    ) throws(DaybookError) -> UInt32 {
        let value = try varint(payload, &position, end: end, record: record)
        guard value > 0, value <= UInt64(IndexTree.entityMax) else {
            throw damaged("\(value) is not an entity or relation", at: record)
        }
        return UInt32(truncatingIfNeeded: value)
    }

    /// Decodes a layout number, from 1, of 32 bits.
    @inline(__always)
    private static func layout(
        _ payload: Span<UInt8>, _ position: inout Int, end: Int, record: Int
    ) throws(DaybookError) -> UInt32 {
        let value = try varint(payload, &position, end: end, record: record)
        guard value > 0, let number = UInt32(exactly: value) else {
            throw damaged("\(value) is no layout", at: record)
        }
        return number
    }

    /// Decodes an object id, from 1; the id after it must be a valid number.
    @inline(__always)
    private static func identifier(
        _ payload: Span<UInt8>, _ position: inout Int, end: Int, record: Int
    ) throws(DaybookError) -> UInt64 {
        let value = try varint(payload, &position, end: end, record: record)
        guard value > 0, value < .max else { throw damaged("an object has no id", at: record) }
        return value
    }

    @inline(never)
    static func damaged(_ what: String, at offset: Int) -> DaybookError {
        DaybookError(
            .corruption, "A record is damaged: \(what). Restore the store from a backup.",
            details: ["offset": "\(offset)"])
    }
}
