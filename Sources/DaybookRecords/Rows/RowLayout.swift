/// Where a row of one layout holds its fields: an ``EntityLayout`` worked out once for reading and
/// writing. Copies are cheap.
@usableFromInline package struct RowLayout: Sendable {
    /// Where one field stands.
    @usableFromInline
    package struct Slot: Sendable {
        /// The offset in the row of a fixed-width field; the index among the variable ones of
        /// others.
        @usableFromInline package let place: UInt32
        @usableFromInline package let type: FieldType
        @usableFromInline package let isOptional: Bool

        init(place: Int, type: FieldType, isOptional: Bool) {
            self.place = UInt32(place)
            self.type = type
            self.isOptional = isOptional
        }
    }

    /// What only messages need; also tells at a glance whether two are the same.
    final class Origin: Sendable {
        let layout: EntityLayout

        init(_ layout: EntityLayout) { self.layout = layout }
    }

    /// One slot a field.
    @usableFromInline package let slots: [Slot]
    /// Where the end offsets begin: the length of header, null bitmap and fixed-width fields.
    @usableFromInline package let fixedLength: Int
    /// How many variable fields there are.
    @usableFromInline package let variableCount: Int
    /// How many fields the program that made the layout declares: they come first.
    package let declaredCount: Int
    /// The row with nothing set: optional fields null, others zero or empty.
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

    /// The layout that this was made of.
    package var layout: EntityLayout { origin.layout }

    /// Whether the store has properties that the program does not declare.
    package var hasUndeclaredFields: Bool { declaredCount < slots.count }

    /// How many fields there are.
    package var fieldCount: Int { slots.count }
}
