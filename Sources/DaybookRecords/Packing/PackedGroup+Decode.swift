import DaybookBytes

extension PackedGroup {
    /// Decodes one record to a range of `target`, which is as long as the record.
    ///
    /// Throws `.corruption` if the record has another length, or for invalid bytes.
    func decode(
        _ place: PackedPayload.Place, in stored: Span<UInt8>, _ tokens: TokenTable?,
        to target: inout MutableSpan<UInt8>, _ range: Range<Int>
    ) throws(DaybookError) {
        guard let body = Varint.bodyLength(ofPrefixed: range.count),
            body >= 1 + shape.numberCount + shape.rowLengthMin
        else { throw ColumnDecoder.damaged("a record of \(range.count) bytes") }
        var position = range.lowerBound
        target.store(varint: UInt64(body), at: &position)
        target[position] = shape.kind
        position += 1
        for number in 0..<shape.numberCount {
            let value = UInt64(bitPattern: columns[number].value(at: place.rank, in: stored))
            guard range.upperBound - position >= Varint.length(value) + shape.rowLengthMin else {
                throw ColumnDecoder.damaged("the number \(value)")
            }
            target.store(varint: value, at: &position)
        }
        if shape.hasRow {
            writeFixed(place.rank, stored, to: &target, at: position)
            try writeVariable(place, stored, tokens, to: &target, position..<range.upperBound)
        } else {
            var textOffset = place.textOffset
            if shape.hasTail {
                try writeText(0, place, &textOffset, stored, tokens, to: &target, &position, range)
            }
            guard position == range.upperBound else {
                throw ColumnDecoder.damaged("a record of \(range.count) bytes")
            }
        }
    }

    /// Writes the header, null bitmap and fixed fields of a row. The caller checked that they fit.
    private func writeFixed(
        _ rank: Int, _ stored: Span<UInt8>, to target: inout MutableSpan<UInt8>, at row: Int
    ) {
        target[row] = shape.header
        var position = row + 1
        var column = shape.numberCount
        for _ in 0..<shape.bitmapLength {
            target[position] = UInt8(
                truncatingIfNeeded: columns[column].value(at: rank, in: stored))
            position += 1
            column += 1
        }
        for width in shape.widths {
            let value = columns[column].value(at: rank, in: stored)
            switch width {
            case 1: target.store(littleEndian: UInt8(truncatingIfNeeded: value), at: position)
            case 2: target.store(littleEndian: UInt16(truncatingIfNeeded: value), at: position)
            case 4: target.store(littleEndian: UInt32(truncatingIfNeeded: value), at: position)
            default: target.store(littleEndian: UInt64(bitPattern: value), at: position)
            }
            position += Int(width)
            column += 1
        }
    }

    /// Writes the end offsets and bytes of the variable fields of a row.
    private func writeVariable(
        _ place: PackedPayload.Place, _ stored: Span<UInt8>, _ tokens: TokenTable?,
        to target: inout MutableSpan<UInt8>, _ row: Range<Int>
    ) throws(DaybookError) {
        let first = row.lowerBound + shape.rowLengthMin
        var position = first
        var textOffset = place.textOffset
        var table = row.lowerBound + shape.fixedLength
        for field in texts.indices {
            try writeText(field, place, &textOffset, stored, tokens, to: &target, &position, row)
            let end = position - first
            if shape.isWide {
                target.store(littleEndian: UInt32(truncatingIfNeeded: end), at: table)
                table += 4
            } else {
                guard let end = UInt16(exactly: end) else {
                    throw ColumnDecoder.damaged("an offset of \(end)")
                }
                target.store(littleEndian: end, at: table)
                table += 2
            }
        }
        guard position == row.upperBound else {
            throw ColumnDecoder.damaged("a row of \(row.count) bytes")
        }
    }

    /// Writes one text and moves `position` to its end; `textOffset` to the end of its stored form.
    @inline(__always)
    private func writeText(
        _ field: Int, _ place: PackedPayload.Place, _ textOffset: inout Int, _ stored: Span<UInt8>,
        _ tokens: TokenTable?, to target: inout MutableSpan<UInt8>, _ position: inout Int,
        _ range: Range<Int>
    ) throws(DaybookError) {
        let text = texts[field]
        let rest = place.textOffset + place.textLength - textOffset
        let length =
            text.lengths.map { Int(truncatingIfNeeded: $0.value(at: place.rank, in: stored)) }
            ?? rest
        guard length >= 0, length <= rest else {
            throw ColumnDecoder.damaged("a text of \(length) bytes")
        }
        if text.isCoded {
            guard let tokens else { throw ColumnDecoder.damaged("a text without a token table") }
            position = try tokens.decode(
                stored.extracting(textOffset..<(textOffset + length)), to: &target, at: position,
                limit: range.upperBound)
        } else {
            guard length <= range.upperBound - position else {
                throw ColumnDecoder.damaged("a text of \(length) bytes")
            }
            target.copy(stored, from: textOffset, length, at: position)
            position += length
        }
        textOffset += length
    }
}

extension Varint {
    /// The length of a body whose length is stored before it, from the length of both; nil if no
    /// body results in that length.
    fileprivate static func bodyLength(ofPrefixed length: Int) -> Int? {
        for prefix in 1...lengthMax where length > prefix {
            let body = length - prefix
            if Varint.length(UInt64(body)) == prefix { return body }
        }
        return nil
    }
}
