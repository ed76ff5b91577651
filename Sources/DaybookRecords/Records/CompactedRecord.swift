package import DaybookBytes

/// What a compaction leaves for those who read the log after it.
package struct CompactedRecord: Sendable, Hashable {
    /// Which history was kept.
    package var policy: Policy
    /// The first sequence whose state is still whole; below it, versions are missing.
    package var historyFloor: UInt64
    /// The next free id of each entity: ids of objects whose last trace is gone are not given
    /// again.
    package var nextIds: [UInt32: UInt64]
    /// Entities of which no record is left. No compaction drops an entity so far: a place that the
    /// format keeps for one that will.
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

    /// Reads the body of a compacted record. Bytes behind what this release knows are ignored, so
    /// that a later one may add to them. Throws `.corruption`, or `.formatTooNew` for an unknown
    /// policy.
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

    /// Writes the body of a compacted record: the same value always gives the same bytes.
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

    /// Entities stand in ascending order, so that none stands twice.
    private static func entity(
        after last: UInt32, _ reader: inout ByteReader
    ) throws(DaybookError) -> UInt32 {
        guard let entity = UInt32(exactly: try reader.varint()), entity > last,
            entity <= IndexTree.entityMax
        else {
            throw DaybookError(
                .corruption,
                "A compacted record is damaged: its entities are no list. "
                    + "Restore the store from a backup.")
        }
        return entity
    }
}
