package import DaybookBytes

extension RowLayout {
    /// A row of this layout without the values of some properties: they are null if optional, else
    /// zero or empty. Throws `.corruption` if the bytes do not match the layout.
    package func clearing(
        _ row: Span<UInt8>, _ properties: Set<UInt32>
    ) throws(DaybookError) -> [UInt8] {
        let fields = layout.fields
        return try merging(row, template.span) { properties.contains(fields[$0].propertyID) }
    }

    /// Merges fields of `second` into `first`; both are rows of this layout. Null bits are copied
    /// with their fields. Throws `.corruption` if the bytes do not match the layout, and
    /// `.invalidValue` if the result is too long.
    package func merging(
        _ first: Span<UInt8>, _ second: Span<UInt8>, takesSecond: (_ field: Int) -> Bool
    ) throws(DaybookError) -> [UInt8] {
        let layout = self
        let (one, other) = (try RowView(first, layout), try RowView(second, layout))
        let choices = slots.indices.map(takesSecond)
        var length = 0
        for (index, slot) in slots.enumerated() where slot.type.fixedWidthBytes == nil {
            length += choices[index] ? try other.bytes(index).count : try one.bytes(index).count
        }
        let isWide = length > RowFormat.narrowLengthMax
        guard length <= RowFormat.rowLengthBytesMax - fixedLength - 4 * variableCount else {
            throw DaybookError(
                .invalidValue,
                "An object of \(self.layout.entityName) would need more than"
                    + " \(RowFormat.rowLengthBytesMax) bytes. Shorten some of its values.",
                details: ["entity": self.layout.entityName])
        }
        var writer = ByteWriter(capacity: fixedLength + 4 * variableCount + length)
        writer.uint8(isWide ? RowFormat.headerIsWide : 0)
        writer.append(first.extracting(1..<fixedLength))
        for (index, slot) in slots.enumerated() where choices[index] {
            let bit: UInt8 = 1 << UInt8(index & 7)
            let byte = writer.span[1 + index / 8] & ~bit
            writer.patch(uint8: other.isNull(index) ? byte | bit : byte, at: 1 + index / 8)
            for place in 0..<(slot.type.fixedWidthBytes ?? 0) {
                let offset = Int(slot.place) + place
                writer.patch(uint8: second[offset], at: offset)
            }
        }
        let table = writer.count
        writer.zeros(variableCount * (isWide ? 4 : 2))
        let start = writer.count
        for (index, slot) in slots.enumerated() where slot.type.fixedWidthBytes == nil {
            writer.append(choices[index] ? try other.bytes(index) : try one.bytes(index))
            let (end, place) = (writer.count - start, Int(slot.place))
            if isWide {
                writer.patch(uint32: UInt32(truncatingIfNeeded: end), at: table + place * 4)
            } else {
                writer.patch(uint16: UInt16(truncatingIfNeeded: end), at: table + place * 2)
            }
        }
        return writer.bytes
    }
}
