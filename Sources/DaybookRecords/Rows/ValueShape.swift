import DaybookBytes

/// The type of a value, its optionality and its element shape.
package struct ValueShape: Sendable, Hashable {
    package var type: FieldType
    /// Whether the value may be null.
    package var isOptional: Bool
    /// The entity name of an embedded value or of a relation's target; empty for all other types.
    package var entityName: String
    /// At most one element: an array, because a struct cannot contain itself.
    private var elements: [ValueShape]

    /// The default element of a collection is bytes.
    package init(
        _ type: FieldType, isOptional: Bool = false, element: ValueShape? = nil,
        entityName: String = ""
    ) {
        self.type = type
        self.isOptional = isOptional
        self.entityName = entityName
        elements = type.isCollection ? [element ?? ValueShape(.bytes)] : []
    }

    /// The element shape of a list, set or map; nil for all other types.
    package var element: ValueShape? { elements.first }

    /// Whether a collection contains relations, which is invalid.
    var holdsRelation: Bool {
        element.map { $0.type.isRelation || $0.holdsRelation } ?? false
    }

    /// A textual form for messages: `list<string?>`, `embedded<Address>`.
    package var description: String {
        var text = type.name
        if let element { text += "<\(element.description)>" }
        if !entityName.isEmpty { text += "<\(entityName)>" }
        return isOptional ? text + "?" : text
    }

    /// Decodes a shape. Throws `.corruption`, or `.formatTooNew` for a type that this release does
    /// not know; `name` is the property's name for messages.
    init(
        from reader: inout ByteReader, name: String, depth: Int = 0
    ) throws(DaybookError) {
        let typeNumber = try reader.uint8()
        let flags = try reader.uint8()
        guard let type = FieldType(rawValue: typeNumber), flags & ~RecordFormat.fieldIsOptional == 0
        else {
            throw DaybookError(
                .formatTooNew,
                "The property \(name) has a type of a newer release; open the store with that.",
                details: ["property": name, "type": "\(typeNumber)", "flags": "\(flags)"])
        }
        guard depth <= RecordFormat.shapeDepthMax else {
            throw DaybookError(
                .corruption, "A layout is damaged: the property \(name) is nested too deep.")
        }
        guard depth == 0 || !type.isRelation else {
            throw DaybookError(
                .corruption,
                "A layout is damaged: the property \(name) is a collection of relations."
            )
        }
        self.init(
            type, isOptional: flags & RecordFormat.fieldIsOptional != 0,
            element: type.isCollection
                ? try ValueShape(from: &reader, name: name, depth: depth + 1) : nil,
            entityName: type.namesEntity ? try reader.text() : "")
    }

    /// Encodes type and flags, then the element shape.
    func encode(to writer: inout ByteWriter) {
        writer.uint8(type.rawValue)
        writer.uint8(isOptional ? RecordFormat.fieldIsOptional : 0)
        if let element { element.encode(to: &writer) }
        if type.namesEntity { writer.text(entityName) }
    }
}

extension FieldType {
    /// Whether a shape of this type contains an entity name.
    var namesEntity: Bool { self == .embedded || isRelation }
}
