import DaybookBytes

/// A property in a layout.
package struct Field: Sendable, Hashable {
    /// The number of the property within its entity, from 1; never reused.
    package var propertyID: UInt32
    package var name: String
    package var shape: ValueShape
    /// Attributes that other modules store for the property: indexes, conversions, relations.
    package var attributes: [String: String]
    /// The relation of a relation property; nil for all other properties.
    package var relation: FieldRelation?

    package init(
        propertyID: UInt32, name: String, shape: ValueShape, attributes: [String: String] = [:],
        relation: FieldRelation? = nil
    ) {
        self.propertyID = propertyID
        self.name = name
        self.shape = shape
        self.attributes = attributes
        self.relation = relation
    }

    /// Creates a property without an element type.
    package init(
        propertyID: UInt32, name: String, type: FieldType, isOptional: Bool = false,
        attributes: [String: String] = [:]
    ) {
        self.init(
            propertyID: propertyID, name: name, shape: ValueShape(type, isOptional: isOptional),
            attributes: attributes)
    }

    package var type: FieldType {
        get { shape.type }
        set { shape.type = newValue }
    }
    /// Whether the value may be null.
    package var isOptional: Bool {
        get { shape.isOptional }
        set { shape.isOptional = newValue }
    }

    init(_ declaration: FieldDeclaration, propertyID: UInt32) {
        self.init(
            propertyID: propertyID, name: declaration.name, shape: declaration.shape,
            attributes: declaration.attributes)
    }

    init(from reader: inout ByteReader) throws(DaybookError) {
        guard let propertyID = UInt32(exactly: try reader.varint()) else {
            throw DaybookError(
                .corruption, "A layout is damaged: the number of a property is out of range.")
        }
        self.propertyID = propertyID
        name = try reader.text()
        shape = try ValueShape(from: &reader, name: name)
        attributes = try reader.textPairs()
        relation = shape.type.isRelation ? try FieldRelation(from: &reader) : nil
    }

    func encode(to writer: inout ByteWriter) {
        writer.varint(UInt64(propertyID))
        writer.text(name)
        shape.encode(to: &writer)
        writer.textPairs(attributes)
        relation?.encode(to: &writer)
    }
}
