import DaybookBytes

/// The stored identity of a relation: its number and its target entity.
package struct FieldRelation: Sendable, Hashable {
    /// The number of the relation in the store, from 1; never reused. Links refer to it.
    package var relationID: UInt32
    package var targetEntityID: UInt32

    package init(relationID: UInt32, targetEntityID: UInt32) {
        self.relationID = relationID
        self.targetEntityID = targetEntityID
    }

    init(from reader: inout ByteReader) throws(DaybookError) {
        relationID = try Self.number(&reader)
        targetEntityID = try Self.number(&reader)
    }

    func encode(to writer: inout ByteWriter) {
        writer.varint(UInt64(relationID))
        writer.varint(UInt64(targetEntityID))
    }

    private static func number(_ reader: inout ByteReader) throws(DaybookError) -> UInt32 {
        guard let number = UInt32(exactly: try reader.varint()), number > 0,
            number <= IndexTree.entityMax
        else {
            throw DaybookError(
                .corruption, "A layout is damaged: the number of a relation is out of range.")
        }
        return number
    }
}
