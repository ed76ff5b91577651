import DaybookBytes

/// A property as a layout has it.
package struct Field: Sendable, Hashable {
    /// The number of the property within its entity, from 1: given once to a name, never again.
    package var propertyID: UInt32
    package var name: String
    package var type: FieldType
    /// Whether the value may be null.
    package var isOptional: Bool
    /// What layers above note about the property: indexes, conversions, relations.
    package var attributes: [String: String]

    package init(
        propertyID: UInt32, name: String, type: FieldType, isOptional: Bool = false,
        attributes: [String: String] = [:]
    ) {
        self.propertyID = propertyID
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.attributes = attributes
    }

    init(_ declaration: FieldDeclaration, propertyID: UInt32) {
        self.init(
            propertyID: propertyID, name: declaration.name, type: declaration.type,
            isOptional: declaration.isOptional, attributes: declaration.attributes)
    }

    init(from reader: inout ByteReader) throws(DaybookError) {
        guard let propertyID = UInt32(exactly: try reader.varint()) else {
            throw DaybookError(
                .corruption, "A layout is damaged: the number of a property is out of range.")
        }
        self.propertyID = propertyID
        name = try reader.text()
        let typeNumber = try reader.uint8()
        let flags = try reader.uint8()
        guard let type = FieldType(rawValue: typeNumber), flags & ~RecordFormat.fieldIsOptional == 0
        else {
            throw DaybookError(
                .formatTooNew,
                "The property \(name) has a type of a newer release; open the store with that.",
                details: ["property": name, "type": "\(typeNumber)", "flags": "\(flags)"])
        }
        self.type = type
        isOptional = flags & RecordFormat.fieldIsOptional != 0
        attributes = try reader.textPairs()
    }

    func encode(to writer: inout ByteWriter) {
        writer.varint(UInt64(propertyID))
        writer.text(name)
        writer.uint8(type.rawValue)
        writer.uint8(isOptional ? RecordFormat.fieldIsOptional : 0)
        writer.textPairs(attributes)
    }
}
