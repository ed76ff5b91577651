import DaybookBytes

/// Encodes the groups of a payload as columns.
struct TranspositionWriter {
    private var columns = ColumnEncoder()
    private var lengths: [Int64] = []
    private var values: [Int64] = []

    /// The transposed payload.
    mutating func write(
        _ grouping: RecordGrouping, of payload: Span<UInt8>, layouts: [RowLayout]
    ) -> [UInt8] {
        columns.heads.varint(UInt64(grouping.groups.count))
        for group in grouping.groups { describe(group, layouts) }
        columns.encode(grouping.sequence)
        // The columns that determine the positions of records come first.
        for group in grouping.groups {
            for number in 0..<group.numberCount { columns.encode(group.column(number)) }
            switch group.rest {
            case .nothing: break
            case .tail: writeTail(group, payload)
            case .row(let layout, let header):
                writeVariable(group, payload, layouts[layout], isWide: header != 0)
            }
        }
        for group in grouping.groups {
            guard case .row(let layout, _) = group.rest else { continue }
            writeFixed(group, payload, layouts[layout])
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

    private mutating func describe(_ group: RecordGroup, _ layouts: [RowLayout]) {
        columns.heads.uint8(group.kind)
        columns.heads.varint(UInt64(group.recordCount))
        let numberCount = UInt8(group.numberCount)
        switch group.rest {
        case .nothing: columns.heads.uint8(numberCount)
        case .tail: columns.heads.uint8(numberCount | TranspositionFormat.shapeHasTail)
        case .row(let index, let header):
            let layout = layouts[index]
            columns.heads.uint8(numberCount | TranspositionFormat.shapeHasRow)
            columns.heads.uint8(header)
            columns.heads.varint(UInt64((layout.fieldCount + 7) / 8))
            let widths = layout.slots.compactMap(\.columnWidthBytes)
            columns.heads.varint(UInt64(widths.count))
            for width in widths { columns.heads.uint8(UInt8(width)) }
            columns.heads.varint(UInt64(layout.variableCount))
        }
    }

    private mutating func writeTail(_ group: RecordGroup, _ payload: Span<UInt8>) {
        lengths.removeAll(keepingCapacity: true)
        for index in 0..<group.recordCount {
            lengths.append(Int64(group.ends[index] - group.starts[index]))
        }
        columns.encode(variable: payload, starts: group.starts, lengths: lengths)
    }

    private mutating func writeFixed(
        _ group: RecordGroup, _ payload: Span<UInt8>, _ layout: RowLayout
    ) {
        for byte in 0..<((layout.fieldCount + 7) / 8) {
            gather(group, payload, UInt8.self, at: 1 + byte)
            columns.encode(values)
        }
        for slot in layout.slots where slot.columnWidthBytes != nil {
            let place = Int(slot.place)
            switch slot.type {
            case .bool, .uint8: gather(group, payload, UInt8.self, at: place)
            case .int8: gather(group, payload, Int8.self, at: place)
            case .int16: gather(group, payload, Int16.self, at: place)
            case .uint16: gather(group, payload, UInt16.self, at: place)
            case .int32: gather(group, payload, Int32.self, at: place)
            case .uint32, .float: gather(group, payload, UInt32.self, at: place)
            case .int64, .date, .dateNano, .uint64, .double:
                gather(group, payload, Int64.self, at: place)
            case .string, .bytes, .uuid, .decimal, .list, .set, .map, .embedded, .json, .toOne,
                .toMany, .objects:
                break
            }
            switch slot.type {
            case .float: columns.encode(floatingPoint: values, isDouble: false)
            case .double: columns.encode(floatingPoint: values, isDouble: true)
            default: columns.encode(values)
            }
        }
    }

    /// Encodes one fixed-width field of all rows.
    @inline(__always)
    private mutating func gather<Value: FixedWidthInteger & BitwiseCopyable>(
        _ group: RecordGroup, _ payload: Span<UInt8>, _ type: Value.Type, at place: Int
    ) {
        values.removeAll(keepingCapacity: true)
        values.reserveCapacity(group.recordCount)
        for start in group.starts {
            let value = payload.loadLittleEndian(Value.self, at: Int(start) &+ place) ?? 0
            values.append(Int64(truncatingIfNeeded: value))
        }
    }

    private mutating func writeVariable(
        _ group: RecordGroup, _ payload: Span<UInt8>, _ layout: RowLayout, isWide: Bool
    ) {
        let table = layout.fixedLength
        let variable = table + layout.variableCount * (isWide ? 4 : 2)
        var ends = [UInt32](repeating: 0, count: group.recordCount)
        var starts = ends
        for field in 0..<layout.variableCount {
            lengths.removeAll(keepingCapacity: true)
            for (index, row) in group.starts.enumerated() {
                let entry = Int(row) + table
                let end =
                    isWide
                    ? payload.loadLittleEndian(UInt32.self, at: entry + field * 4) ?? 0
                    : UInt32(payload.loadLittleEndian(UInt16.self, at: entry + field * 2) ?? 0)
                lengths.append(Int64(end &- ends[index]))
                starts[index] = row &+ UInt32(variable) &+ ends[index]
                ends[index] = end
            }
            columns.encode(variable: payload, starts: starts, lengths: lengths)
        }
    }
}

extension RowLayout.Slot {
    /// The width of the field's column; nil for variable-width fields and for fields without bytes
    /// in the row.
    fileprivate var columnWidthBytes: Int? { type.fixedWidthBytes.flatMap { $0 > 0 ? $0 : nil } }
}
