import DaybookBytes

/// Writes the groups of a payload in the packed form.
struct PackingWriter {
    private let encoder: TokenEncoder?
    private var columns = PackedColumnWriter()

    init(_ encoder: TokenEncoder?) { self.encoder = encoder }

    /// The packed payload.
    mutating func write(
        _ grouping: RecordGrouping, of payload: Span<UInt8>, layouts: [RowLayout]
    ) -> [UInt8] {
        let fields = grouping.groups.map { encodedTexts(of: $0, payload, layouts) }
        var texts = ByteWriter(capacity: payload.count)
        let textLengths = append(fields, grouping.sequence, to: &texts)

        columns.heads.varint(UInt64(grouping.groups.count))
        columns.write(grouping.recordLengths)
        columns.write(textLengths)
        columns.write(grouping.sequence)
        for (group, texts) in zip(grouping.groups, fields) {
            GroupShape(group, layouts).write(to: &columns.heads)
            for number in 0..<group.numberCount { columns.write(group.column(number)) }
            if case .row(let layout, _) = group.rest {
                group.forEachFixed(in: payload, layouts[layout]) { columns.write($0) }
            }
            for (index, text) in texts.enumerated() {
                columns.heads.uint8(text.storage)
                if index < texts.count - 1 { columns.write(text.lengths) }
            }
        }
        var output = ByteWriter(
            capacity: columns.heads.count + columns.bits.count + texts.count + 16)
        output.uint8(PackedFormat.current)
        output.varint(UInt64(grouping.sequence.count))
        output.varint(UInt64(columns.heads.count))
        output.varint(UInt64(columns.bits.count))
        output.append(columns.heads.span)
        output.append(columns.bits.span)
        output.append(texts.span)
        return output.bytes
    }

    private func encodedTexts(
        of group: RecordGroup, _ payload: Span<UInt8>, _ layouts: [RowLayout]
    ) -> [PackedTexts] {
        var texts: [PackedTexts] = []
        group.forEachVariable(in: payload, layouts) { starts, lengths in
            texts.append(PackedTexts(payload, starts: starts, lengths: lengths, encoder))
        }
        return texts
    }

    /// Appends the texts record by record. Returns their length for each record.
    private func append(
        _ fields: [[PackedTexts]], _ sequence: [Int64], to texts: inout ByteWriter
    ) -> [Int64] {
        var counts = [Int](repeating: 0, count: fields.count)
        var lengths: [Int64] = []
        lengths.reserveCapacity(sequence.count)
        for group in sequence {
            let start = texts.count
            let index = counts[Int(group)]
            for field in fields[Int(group)] { field.append(index, to: &texts) }
            counts[Int(group)] = index + 1
            lengths.append(Int64(texts.count - start))
        }
        return lengths
    }
}
