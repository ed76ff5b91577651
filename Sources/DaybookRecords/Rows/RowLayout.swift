/// An ``EntityLayout`` prepared for reading and writing rows: the positions of all fields. Copies
/// are cheap.
@usableFromInline package struct RowLayout: Sendable {
    /// The position of one field.
    @usableFromInline
    package struct Slot: Sendable {
        /// The offset of a fixed-width field; the index among variable fields for others.
        @usableFromInline package let place: UInt32
        @usableFromInline package let type: FieldType
        @usableFromInline package let isOptional: Bool

        init(place: Int, type: FieldType, isOptional: Bool) {
            self.place = UInt32(place)
            self.type = type
            self.isOptional = isOptional
        }
    }

    /// The layout for messages, and an identity for fast comparison.
    final class Origin: Sendable {
        let layout: EntityLayout

        init(_ layout: EntityLayout) { self.layout = layout }
    }

    /// One slot per field.
    @usableFromInline package let slots: [Slot]
    /// The length of header, null bitmap and fixed-width fields; the end offsets start there.
    @usableFromInline package let fixedLength: Int
    /// The number of variable fields.
    @usableFromInline package let variableCount: Int
    /// The number of fields that the program declares; they come first.
    package let declaredCount: Int
    /// A row without values: optional fields are null, others zero or empty.
    let template: [UInt8]
    let origin: Origin

    package init(_ layout: EntityLayout) {
        var slots: [Slot] = []
        slots.reserveCapacity(layout.fields.count)
        var offset = 1 + (layout.fields.count + 7) / 8
        var variableCount = 0
        for field in layout.fields {
            let place: Int
            if let width = field.type.fixedWidthBytes {
                place = offset
                offset += width
            } else {
                place = variableCount
                variableCount += 1
            }
            slots.append(Slot(place: place, type: field.type, isOptional: field.isOptional))
        }
        self.slots = slots
        self.variableCount = variableCount
        fixedLength = offset
        declaredCount =
            layout.fields.firstIndex(where: \.isUndeclared) ?? layout.fields.count
        var template = [UInt8](repeating: 0, count: offset + 2 * variableCount)
        for (index, slot) in slots.enumerated() where slot.isOptional {
            template[1 + index / 8] |= 1 << UInt8(index % 8)
        }
        self.template = template
        origin = Origin(layout)
    }

    /// The original layout.
    package var layout: EntityLayout { origin.layout }

    /// Whether the store has properties that the program does not declare.
    package var hasUndeclaredFields: Bool { declaredCount < slots.count }

    /// The number of fields.
    package var fieldCount: Int { slots.count }
}
