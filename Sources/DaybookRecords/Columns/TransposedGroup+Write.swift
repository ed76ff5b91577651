import DaybookBytes

extension TransposedGroup {
    /// Assigns the position of the next record and returns its length; nil if all have one.
    @inline(__always)
    mutating func place(at position: Int) -> Int? {
        let index = positions.count
        guard index < recordCount else { return nil }
        positions.append(UInt32(truncatingIfNeeded: position))
        let length = Int(bodyLengths[index])
        return Varint.length(UInt64(length)) + length
    }

    /// Writes the lengths, kinds and numbers of all records and moves their positions to the
    /// content after them.
    mutating func writeFronts(to payload: inout [UInt8]) {
        var target = payload.mutableSpan
        for index in 0..<recordCount {
            var position = Int(positions[index])
            target.store(varint: UInt64(bodyLengths[index]), at: &position)
            target[position] = shape.kind
            position += 1
            for column in 0..<shape.numberCount {
                let number = UInt64(bitPattern: numbers[column][index])
                target.store(varint: number, at: &position)
            }
            if shape.hasRow { target[position] = shape.header }
            positions[index] = UInt32(truncatingIfNeeded: position)
        }
    }

    /// Writes the tails, or the end offsets and bytes of variable fields.
    func writeVariable(
        from stored: Span<UInt8>, to payload: inout [UInt8]
    ) throws(DaybookError) {
        var target = payload.mutableSpan
        guard shape.hasRow else {
            guard shape.hasTail else { return }
            for index in 0..<recordCount {
                target.copy(
                    stored, from: Int(starts[0][index]), Int(lengths[0][index]),
                    at: Int(positions[index]))
            }
            return
        }
        let fixedLength = shape.fixedLength
        let rowLengthMin = shape.rowLengthMin
        var ends = [UInt32](repeating: 0, count: recordCount)
        for field in 0..<shape.variableCount {
            for index in 0..<recordCount {
                let row = Int(positions[index])
                let length = lengths[field][index]
                let end = ends[index]
                target.copy(
                    stored, from: Int(starts[field][index]), Int(length),
                    at: row + rowLengthMin + Int(end))
                // Cannot overflow: the lengths of a record were summed when its position was
                // assigned.
                let newEnd = end &+ length
                ends[index] = newEnd
                if shape.isWide {
                    target.store(littleEndian: newEnd, at: row &+ fixedLength &+ 4 &* field)
                } else {
                    guard let narrow = UInt16(exactly: newEnd) else {
                        throw ColumnDecoder.damaged("an offset of \(newEnd)")
                    }
                    target.store(littleEndian: narrow, at: row &+ fixedLength &+ 2 &* field)
                }
            }
        }
    }

    /// Decodes and writes the null bitmaps and fixed-width fields.
    func writeFixed(
        from columns: inout ColumnDecoder, _ values: inout [Int64], to payload: inout [UInt8]
    ) throws(DaybookError) {
        for byte in 0..<shape.bitmapLength {
            try columns.numbers(recordCount, width: 1, into: &values)
            scatter(values, UInt8.self, at: 1 + byte, to: &payload)
        }
        var place = 1 + shape.bitmapLength
        for width in shape.widths {
            try columns.numbers(recordCount, width: Int(width), into: &values)
            switch width {
            case 1: scatter(values, UInt8.self, at: place, to: &payload)
            case 2: scatter(values, UInt16.self, at: place, to: &payload)
            case 4: scatter(values, UInt32.self, at: place, to: &payload)
            default: scatter(values, UInt64.self, at: place, to: &payload)
            }
            place += Int(width)
        }
    }

    @inline(__always)
    private func scatter<Value: FixedWidthInteger & UnsignedInteger>(
        _ values: [Int64], _ type: Value.Type, at place: Int, to payload: inout [UInt8]
    ) {
        var target = payload.mutableSpan
        for index in 0..<recordCount {
            target.store(
                littleEndian: Value(truncatingIfNeeded: values[index]),
                at: Int(positions[index]) &+ place)
        }
    }
}
