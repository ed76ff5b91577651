import DaybookBytes

extension PackedReader {
    /// Decodes all records, group by group and column by column.
    ///
    /// Throws `.corruption` if a record has another length, or for invalid bytes.
    mutating func payload(_ tokens: TokenDecoder) throws(DaybookError) -> [UInt8] {
        let places = try places()
        var payload = [UInt8](repeating: 0, count: rawLength)
        var target = payload.mutableSpan
        for places in places { try decode(places, tokens, to: &target) }
        guard isAtEnd else { throw ColumnDecoder.damaged("bytes left over") }
        return payload
    }

    /// The records of each group.
    private func places() throws(DaybookError) -> [[Place]] {
        var places = [[Place]](repeating: [], count: groupCount)
        if groupCount == 1 { places[0].reserveCapacity(recordCount) }
        var place = Place(textOffset: textsOffset)
        for index in 0..<recordCount {
            try fill(&place, index)
            place.rank = places[place.group].count
            places[place.group].append(place)
            place.offset += place.length
            place.textOffset += place.textLength
        }
        guard place.offset == rawLength, place.textOffset == stored.count else {
            throw ColumnDecoder.damaged("\(place.offset) bytes")
        }
        return places
    }

    /// Decodes the records of the next group to their places in the payload.
    private mutating func decode(
        _ places: [Place], _ tokens: TokenDecoder, to payload: inout MutableSpan<UInt8>
    ) throws(DaybookError) {
        let shape = try nextShape()
        guard shape.recordCount == places.count else {
            throw ColumnDecoder.damaged("a group of \(shape.recordCount) records")
        }
        var values = [Int64](repeating: 0, count: places.count)
        var positions: [Int] = []
        positions.reserveCapacity(places.count)
        for place in places {
            let end = place.offset + place.length
            positions.append(try shape.writeHead(to: &payload, place.offset..<end))
        }
        for number in 0..<shape.numberCount {
            try nextColumn(number, of: shape).unpack(from: stored, into: &values)
            for index in places.indices {
                let value = UInt64(bitPattern: values[index])
                let end = places[index].offset + places[index].length
                guard shape.fits(value, end - positions[index]) else {
                    throw ColumnDecoder.damaged("the number \(value)")
                }
                payload.store(varint: value, at: &positions[index])
            }
        }
        if shape.hasRow { try decodeFixed(positions, shape, &values, to: &payload) }
        let texts = try nextTexts(of: shape)
        for index in places.indices {
            let end = places[index].offset + places[index].length
            try write(texts, of: places[index], shape, tokens, to: &payload, positions[index]..<end)
        }
    }

    /// Decodes the headers, null bitmaps and fixed fields of the rows at `positions`. The caller
    /// checked that they fit.
    private mutating func decodeFixed(
        _ positions: [Int], _ shape: GroupShape, _ values: inout [Int64],
        to payload: inout MutableSpan<UInt8>
    ) throws(DaybookError) {
        for row in positions { payload[row] = shape.header }
        var place = 1
        for index in shape.numberCount..<shape.columnCount {
            try nextColumn(index, of: shape).unpack(from: stored, into: &values)
            let width = shape.widthBytes(ofColumn: index)
            switch width {
            case 1: Self.scatter(values, UInt8.self, positions, place, to: &payload)
            case 2: Self.scatter(values, UInt16.self, positions, place, to: &payload)
            case 4: Self.scatter(values, UInt32.self, positions, place, to: &payload)
            default: Self.scatter(values, UInt64.self, positions, place, to: &payload)
            }
            place += width
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
