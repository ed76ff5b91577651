package import DaybookBytes

/// A version of an entity's fields. A changed declaration creates a new layout; rows of older
/// layouts are not changed.
package struct EntityLayout: Sendable, Hashable {
    /// The number of the layout in the store, dense, from 1. Puts refer to it.
    package var layoutID: UInt32
    /// The number of the entity in the store, dense, from 1.
    package var entityID: UInt32
    package var entityName: String
    package var kind: EntityKind
    /// The number of the layout within its entity: 1, 2, 3 ….
    package var version: UInt32
    /// The fields in the order of the rows.
    package var fields: [Field]
    /// The indexes of the entity while this is its newest layout.
    package var indexes: [LayoutIndex]
    /// Attributes that other modules store for the entity.
    package var attributes: [String: String]

    package init(
        layoutID: UInt32, entityID: UInt32, entityName: String, kind: EntityKind = .object,
        version: UInt32, fields: [Field], indexes: [LayoutIndex] = [],
        attributes: [String: String] = [:]
    ) {
        self.layoutID = layoutID
        self.entityID = entityID
        self.entityName = entityName
        self.version = version
        self.kind = kind
        self.fields = fields
        self.indexes = indexes
        self.attributes = attributes
    }

    /// Decodes the body of a schema record. Throws `.corruption`, or `.formatTooNew` for a field
    /// type that this release does not know.
    package init(decoding body: Span<UInt8>) throws(DaybookError) {
        var reader = ByteReader(body)
        try self.init(from: &reader)
        guard reader.isAtEnd else { throw Self.damaged("it is longer than it says") }
    }

    init(from reader: inout ByteReader) throws(DaybookError) {
        layoutID = try Self.number(&reader)
        entityID = try Self.number(&reader)
        version = try Self.number(&reader)
        let kindNumber = try reader.uint8()
        guard let kind = EntityKind(rawValue: kindNumber) else {
            throw DaybookError(
                .formatTooNew,
                "An entity is of a kind of a newer release; open the store with that.",
                details: ["kind": "\(kindNumber)"])
        }
        self.kind = kind
        entityName = try reader.text()
        attributes = try reader.textPairs()
        let count = try reader.length()
        guard count <= RecordFormat.fieldCountMax else {
            throw Self.damaged("it has \(count) fields")
        }
        fields = []
        for _ in 0..<count { fields.append(try Field(from: &reader)) }
        indexes = []
        for _ in 0..<(try reader.length()) { indexes.append(try LayoutIndex(from: &reader)) }
    }

    /// Encodes the body of a schema record. The encoding is deterministic.
    package func encode(to writer: inout ByteWriter) {
        writer.varint(UInt64(layoutID))
        writer.varint(UInt64(entityID))
        writer.varint(UInt64(version))
        writer.uint8(kind.rawValue)
        writer.text(entityName)
        writer.textPairs(attributes)
        writer.varint(UInt64(fields.count))
        for field in fields { field.encode(to: &writer) }
        writer.varint(UInt64(indexes.count))
        for index in indexes { index.encode(to: &writer) }
    }

    private static func number(_ reader: inout ByteReader) throws(DaybookError) -> UInt32 {
        guard let number = UInt32(exactly: try reader.varint()), number > 0 else {
            throw damaged("its numbers are out of range")
        }
        return number
    }

    private static func damaged(_ what: String) -> DaybookError {
        DaybookError(.corruption, "A layout is damaged: \(what). Restore the store from a backup.")
    }
}
