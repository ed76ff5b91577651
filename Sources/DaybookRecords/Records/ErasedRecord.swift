package import DaybookBytes

/// An erasure: the objects of an entity whose versions leave the log, up to the transaction of the
/// record.
///
/// The record contains the ids only while the erasure is running. When no file has the versions any
/// more, a compaction step replaces the ids by their number.
package struct ErasedRecord: Sendable, Hashable {
    /// The objects.
    package enum Objects: Sendable, Hashable {
        /// The erasure is not finished. The ids are ascending.
        case ids([UInt64])
        /// The erasure is finished: the number of objects.
        case count(UInt64)

        /// The number of objects.
        package var count: Int {
            switch self {
            case .ids(let ids): ids.count
            case .count(let count): Int(clamping: count)
            }
        }
    }

    package var entity: UInt32
    /// The numbers of the properties whose values are erased, ascending; empty for whole objects.
    package var properties: [UInt32]
    package var objects: Objects

    package init(entity: UInt32, properties: [UInt32] = [], objects: Objects) {
        self.entity = entity
        self.properties = properties
        self.objects = objects
    }

    /// Whether no file has the erased versions any more.
    package var isFinished: Bool {
        if case .count = objects { return true }
        return false
    }

    /// The record of the same erasure after its end.
    package var finished: ErasedRecord {
        ErasedRecord(
            entity: entity, properties: properties, objects: .count(UInt64(objects.count)))
    }

    private static let requested: UInt8 = 0
    private static let done: UInt8 = 1

    /// Decodes the body of an erased record. Ignores bytes after the known fields, so that later
    /// releases can add fields. Throws `.corruption`, or `.formatTooNew` for an unknown state.
    package init(decoding body: Span<UInt8>) throws(DaybookError) {
        var reader = ByteReader(body)
        let state = try reader.uint8()
        guard state == Self.requested || state == Self.done else {
            throw DaybookError(
                .formatTooNew,
                "An erasure was recorded by a newer release (state \(state)); open the store with"
                    + " that release.")
        }
        guard let entity = UInt32(exactly: try reader.varint()), entity > 0,
            entity <= IndexTree.entityMax
        else { throw Self.damaged("it names no entity") }
        self.entity = entity
        properties = []
        var last: UInt64 = 0
        for _ in 0..<(try reader.length()) {
            last = try Self.next(after: last, max: UInt64(RecordFormat.propertyIDMax), &reader)
            properties.append(UInt32(truncatingIfNeeded: last))
        }
        guard state == Self.requested else {
            objects = .count(try reader.varint())
            return
        }
        var ids: [UInt64] = []
        last = 0
        for _ in 0..<(try reader.length()) {
            last = try Self.next(after: last, max: .max - 1, &reader)
            ids.append(last)
        }
        objects = .ids(ids)
    }

    /// Encodes the body of an erased record. The encoding is deterministic.
    package func encode(to writer: inout ByteWriter) {
        writer.uint8(isFinished ? Self.done : Self.requested)
        writer.varint(UInt64(entity))
        writer.varint(UInt64(properties.count))
        var last: UInt64 = 0
        for property in properties {
            writer.varint(UInt64(property) - last)
            last = UInt64(property)
        }
        switch objects {
        case .count(let count): writer.varint(count)
        case .ids(let ids):
            writer.varint(UInt64(ids.count))
            last = 0
            for id in ids {
                writer.varint(id - last)
                last = id
            }
        }
    }

    /// Numbers are stored as the differences from the number before, at least 1.
    private static func next(
        after last: UInt64, max: UInt64, _ reader: inout ByteReader
    ) throws(DaybookError) -> UInt64 {
        let difference = try reader.varint()
        guard difference > 0, last <= max, difference <= max - last else {
            throw damaged("its numbers are out of order")
        }
        return last + difference
    }

    private static func damaged(_ problem: String) -> DaybookError {
        DaybookError(
            .corruption,
            "The record of an erasure is damaged: \(problem). Restore the store from a backup.")
    }
}
