import DaybookBytes

/// Encodes the groups of a payload as columns.
struct TranspositionWriter {
    private var columns = ColumnEncoder()

    /// The transposed payload.
    mutating func write(
        _ grouping: RecordGrouping, of payload: Span<UInt8>, layouts: [RowLayout]
    ) -> [UInt8] {
        columns.heads.varint(UInt64(grouping.groups.count))
        for group in grouping.groups { GroupShape(group, layouts).write(to: &columns.heads) }
        columns.encode(grouping.sequence)
        // The columns that determine the positions of records come first.
        for group in grouping.groups {
            for number in 0..<group.numberCount { columns.encode(group.column(number)) }
            group.forEachVariable(in: payload, layouts) { starts, lengths in
                columns.encode(variable: payload, starts: starts, lengths: lengths)
            }
        }
        for group in grouping.groups {
            guard case .row(let layout, _) = group.rest else { continue }
            group.forEachFixed(in: payload, layouts[layout]) { columns.encode($0) }
        }
        var output = ByteWriter(
            capacity: columns.heads.count + columns.texts.count + columns.planes.count
                + columns.bits.count + 32)
        output.uint8(TranspositionFormat.current)
        output.varint(UInt64(grouping.sequence.count))
        output.varint(UInt64(columns.heads.count))
        output.varint(UInt64(columns.texts.count))
        output.varint(UInt64(columns.planes.count))
        output.append(columns.heads.span)
        output.append(columns.texts.span)
        output.append(columns.planes.span)
        output.append(columns.bits.span)
        return output.bytes
    }
}
