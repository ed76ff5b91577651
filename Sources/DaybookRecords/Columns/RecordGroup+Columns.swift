import DaybookBytes

/// The columns of a group's rows, one after another.
extension RecordGroup {
    /// A column of fixed-width values.
    struct FixedColumn {
        let values: [Int64]
        /// Nil for a column of the null bitmap.
        let type: FieldType?

        /// The integers to store, and the number of decimal digits if they are decimal fractions.
        var stored: (values: [Int64], digits: Int?) {
            guard type == .float || type == .double,
                let wholes = DecimalNumbers.wholes(values, isDouble: type == .double)
            else { return (values, nil) }
            return wholes
        }
    }

    /// Passes the bytes of the null bitmaps, then the fixed-width fields, column by column.
    func forEachFixed(
        in payload: Span<UInt8>, _ layout: RowLayout, _ body: (FixedColumn) -> Void
    ) {
        for byte in 0..<layout.bitmapLength {
            let values = gather(payload, UInt8.self, at: 1 + byte)
            body(FixedColumn(values: values, type: nil))
        }
        for slot in layout.slots where slot.columnWidthBytes != nil {
            body(FixedColumn(values: values(of: slot, in: payload), type: slot.type))
        }
    }

    private func values(of slot: RowLayout.Slot, in payload: Span<UInt8>) -> [Int64] {
        let place = Int(slot.place)
        switch slot.type {
        case .bool, .uint8: return gather(payload, UInt8.self, at: place)
        case .int8: return gather(payload, Int8.self, at: place)
        case .int16: return gather(payload, Int16.self, at: place)
        case .uint16: return gather(payload, UInt16.self, at: place)
        case .int32: return gather(payload, Int32.self, at: place)
        case .uint32, .float: return gather(payload, UInt32.self, at: place)
        case .int64, .date, .dateNano, .uint64, .double:
            return gather(payload, Int64.self, at: place)
        case .string, .bytes, .uuid, .decimal, .list, .set, .map, .embedded, .json, .toOne,
            .toMany, .objects, .keyedObjects:
            return []
        }
    }

    /// The values of one fixed-width field of all rows.
    @inline(__always)
    private func gather<Value: FixedWidthInteger & BitwiseCopyable>(
        _ payload: Span<UInt8>, _ type: Value.Type, at place: Int
    ) -> [Int64] {
        var values: [Int64] = []
        values.reserveCapacity(recordCount)
        for start in starts {
            let value = payload.loadLittleEndian(Value.self, at: Int(start) &+ place) ?? 0
            values.append(Int64(truncatingIfNeeded: value))
        }
        return values
    }

    /// Passes the positions and lengths of the tails, or of the variable fields, column by column.
    func forEachVariable(
        in payload: Span<UInt8>, _ layouts: [RowLayout],
        _ body: (_ starts: [UInt32], _ lengths: [Int64]) -> Void
    ) {
        switch rest {
        case .nothing: return
        case .tail:
            body(starts, zip(starts, ends).map { Int64($1 - $0) })
        case .row(let index, let header):
            let layout = layouts[index]
            let isWide = header != 0
            let table = layout.fixedLength
            let variable = UInt32(table + layout.variableCount * (isWide ? 4 : 2))
            var fieldEnds = [UInt32](repeating: 0, count: recordCount)
            var fieldStarts = fieldEnds
            var lengths = [Int64](repeating: 0, count: recordCount)
            for field in 0..<layout.variableCount {
                for (index, row) in starts.enumerated() {
                    let entry = Int(row) + table
                    let end =
                        isWide
                        ? payload.loadLittleEndian(UInt32.self, at: entry + field * 4) ?? 0
                        : UInt32(payload.loadLittleEndian(UInt16.self, at: entry + field * 2) ?? 0)
                    lengths[index] = Int64(end &- fieldEnds[index])
                    fieldStarts[index] = row &+ variable &+ fieldEnds[index]
                    fieldEnds[index] = end
                }
                body(fieldStarts, lengths)
            }
        }
    }
}
