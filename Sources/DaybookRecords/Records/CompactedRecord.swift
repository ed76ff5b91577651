package import DaybookBytes

/// The result of a compaction, for later readers of the log.
package struct CompactedRecord: Sendable, Hashable {
    /// The retained history.
    package var policy: Policy
    /// The first sequence with a complete state; versions below it are missing.
    package var historyFloor: UInt64
    /// The next free id of each entity, so that ids are not reused after the last record of an
    /// object, or an event, was dropped.
    package var nextIds: [UInt32: UInt64]
    /// Entities without any record. Reserved: no compaction drops an entity so far.
    package var removedEntities: Set<UInt32>

    package init(
        policy: Policy, historyFloor: UInt64, nextIds: [UInt32: UInt64] = [:],
        removedEntities: Set<UInt32> = []
    ) {
        self.policy = policy
        self.historyFloor = historyFloor
        self.nextIds = nextIds
        self.removedEntities = removedEntities
    }

    /// Decodes the body of a compacted record. Ignores bytes after the known fields, so that later
    /// releases can add fields. Throws `.corruption`, or `.formatTooNew` for an unknown policy.
    package init(decoding body: Span<UInt8>) throws(DaybookError) {
        var reader = ByteReader(body)
        let number = try reader.uint8()
        guard let policy = Policy(rawValue: number) else {
            throw DaybookError(
                .formatTooNew,
                "The store was compacted by a newer release (policy \(number)); open it with that.")
        }
        self.policy = policy
        historyFloor = try reader.varint()
        nextIds = [:]
        removedEntities = []
        var last: UInt32 = 0
        for _ in 0..<(try reader.length()) {
            last = try Self.entity(after: last, &reader)
            nextIds[last] = try reader.varint()
        }
        last = 0
        for _ in 0..<(try reader.length()) {
            last = try Self.entity(after: last, &reader)
            removedEntities.insert(last)
        }
    }

    /// Encodes the body of a compacted record. The encoding is deterministic.
    package func encode(to writer: inout ByteWriter) {
        writer.uint8(policy.rawValue)
        writer.varint(historyFloor)
        writer.varint(UInt64(nextIds.count))
        for (entity, nextId) in nextIds.sorted(by: { $0.key < $1.key }) {
            writer.varint(UInt64(entity))
            writer.varint(nextId)
        }
        writer.varint(UInt64(removedEntities.count))
        for entity in removedEntities.sorted() { writer.varint(UInt64(entity)) }
    }

    /// Entities are strictly ascending.
    private static func entity(
        after last: UInt32, _ reader: inout ByteReader
    ) throws(DaybookError) -> UInt32 {
        guard let entity = UInt32(exactly: try reader.varint()), entity > last,
            entity <= IndexTree.entityMax
        else {
            throw DaybookError(
                .corruption,
                "A compacted record is damaged: its entities are out of order. "
                    + "Restore the store from a backup.")
        }
        return entity
    }
}
