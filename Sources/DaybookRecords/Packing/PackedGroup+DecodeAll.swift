import DaybookBytes

extension PackedGroup {
    /// Decodes all records to their places in the payload, column by column.
    ///
    /// Throws `.corruption` if a record has another length, or for invalid bytes.
    func decodeAll(
        _ places: [PackedReader.Place], in stored: Span<UInt8>, _ tokens: TokenTable?,
        to payload: inout MutableSpan<UInt8>
    ) throws(DaybookError) {
        var values = [Int64](repeating: 0, count: places.count)
        var positions: [Int] = []
        positions.reserveCapacity(places.count)
        for place in places {
            let end = place.offset + place.length
            positions.append(try writeHead(to: &payload, place.offset..<end))
        }
        for number in 0..<shape.numberCount {
            columns[number].unpack(from: stored, into: &values)
            for index in places.indices {
                let value = UInt64(bitPattern: values[index])
                let end = places[index].offset + places[index].length
                guard Self.fits(value, end - positions[index], before: shape.rowLengthMin) else {
                    throw ColumnDecoder.damaged("the number \(value)")
                }
                payload.store(varint: value, at: &positions[index])
            }
        }
        if shape.hasRow {
            writeFixed(positions, stored, &values, to: &payload)
        }
        for index in places.indices {
            let end = places[index].offset + places[index].length
            try writeTexts(
                places[index], stored, tokens, to: &payload, positions[index]..<end)
        }
    }

    /// Writes the headers, null bitmaps and fixed fields of the rows at `positions`. The caller
    /// checked that they fit.
    private func writeFixed(
        _ positions: [Int], _ stored: Span<UInt8>, _ values: inout [Int64],
        to payload: inout MutableSpan<UInt8>
    ) {
        for row in positions { payload[row] = shape.header }
        var place = 1
        var column = shape.numberCount
        for _ in 0..<shape.bitmapLength {
            columns[column].unpack(from: stored, into: &values)
            Self.scatter(values, UInt8.self, positions, place, to: &payload)
            place += 1
            column += 1
        }
        for width in shape.widths {
            columns[column].unpack(from: stored, into: &values)
            switch width {
            case 1: Self.scatter(values, UInt8.self, positions, place, to: &payload)
            case 2: Self.scatter(values, UInt16.self, positions, place, to: &payload)
            case 4: Self.scatter(values, UInt32.self, positions, place, to: &payload)
            default: Self.scatter(values, UInt64.self, positions, place, to: &payload)
            }
            place += Int(width)
            column += 1
        }
    }

    @inline(__always)
    private static func scatter<Value: FixedWidthInteger & UnsignedInteger>(
        _ values: [Int64], _ type: Value.Type, _ positions: [Int], _ place: Int,
        to payload: inout MutableSpan<UInt8>
    ) {
        for index in positions.indices {
            payload.store(
                littleEndian: Value(truncatingIfNeeded: values[index]),
                at: positions[index] &+ place)
        }
    }
}

extension PackedColumn {
    /// The values of all records, as many as `values` has elements.
    fileprivate func unpack(from stored: Span<UInt8>, into values: inout [Int64]) {
        if width == 0 {
            for index in values.indices { values[index] = whole(at: index, in: stored) }
        } else {
            let length = BitPacking.length(count: values.count, width: Int(width))
            BitPacking.unpack(
                stored.extracting(bitsOffset..<(bitsOffset + length)), base: base,
                width: Int(width), into: &values)
        }
        if digits >= 0 {
            DecimalNumbers.restore(&values, digits: Int(digits), isDouble: isDouble)
        }
    }
}
