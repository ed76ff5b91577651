import DaybookBytes

extension PackedReader {
    /// Decodes one record to `target`, which is as long as the record. It decodes each column as
    /// soon as it has read the description, and reads no description after those of its group.
    ///
    /// Throws `.corruption` if the record has another length, or for invalid bytes.
    mutating func decode(
        _ place: Place, _ tokens: TokenDecoder, to target: inout MutableSpan<UInt8>
    ) throws(DaybookError) {
        for _ in 0..<place.group {
            let shape = try nextShape()
            for column in 0..<shape.columnCount { _ = try nextColumn(column, of: shape) }
            _ = try nextTexts(of: shape)
        }
        let shape = try nextShape()
        guard place.rank >= 0, place.rank < shape.recordCount else {
            throw ColumnDecoder.damaged("a record too many")
        }
        var position = try shape.writeHead(to: &target, 0..<target.count)
        for number in 0..<shape.numberCount {
            let column = try nextColumn(number, of: shape)
            let value = UInt64(bitPattern: column.value(at: place.rank, in: stored))
            guard shape.fits(value, target.count - position) else {
                throw ColumnDecoder.damaged("the number \(value)")
            }
            target.store(varint: value, at: &position)
        }
        if shape.hasRow { try decodeFixed(place.rank, shape, to: &target, at: position) }
        let texts = try nextTexts(of: shape)
        try write(texts, of: place, shape, tokens, to: &target, position..<target.count)
    }

    /// Decodes the header, null bitmap and fixed fields of a row. The caller checked that they fit.
    private mutating func decodeFixed(
        _ rank: Int, _ shape: GroupShape, to target: inout MutableSpan<UInt8>, at row: Int
    ) throws(DaybookError) {
        target[row] = shape.header
        var position = row + 1
        for index in shape.numberCount..<shape.columnCount {
            let value = try nextColumn(index, of: shape).value(at: rank, in: stored)
            let width = shape.widthBytes(ofColumn: index)
            switch width {
            case 1: target.store(littleEndian: UInt8(truncatingIfNeeded: value), at: position)
            case 2: target.store(littleEndian: UInt16(truncatingIfNeeded: value), at: position)
            case 4: target.store(littleEndian: UInt32(truncatingIfNeeded: value), at: position)
            default: target.store(littleEndian: UInt64(bitPattern: value), at: position)
            }
            position += width
        }
    }

    /// Writes the tail of a record, or the end offsets and bytes of its variable fields. The range
    /// is the rest of the record after its numbers, and must be filled.
    func write(
        _ texts: [TextColumn], of place: Place, _ shape: GroupShape, _ tokens: TokenDecoder,
        to target: inout MutableSpan<UInt8>, _ rest: Range<Int>
    ) throws(DaybookError) {
        let first = rest.lowerBound + shape.rowLengthMin
        var position = first
        var textOffset = place.textOffset
        let textEnd = textOffset + place.textLength
        var table = rest.lowerBound + shape.fixedLength
        for index in texts.indices {
            var length = textEnd - textOffset
            if let lengths = texts[index].lengths {
                let stated = Int(truncatingIfNeeded: lengths.value(at: place.rank, in: stored))
                guard stated >= 0, stated <= length else {
                    throw ColumnDecoder.damaged("a text of \(stated) bytes")
                }
                length = stated
            }
            if texts[index].isCoded {
                position = try tokens.decode(
                    stored.extracting(textOffset..<(textOffset + length)), to: &target,
                    at: position, limit: rest.upperBound)
            } else {
                guard length <= rest.upperBound - position else {
                    throw ColumnDecoder.damaged("a text of \(length) bytes")
                }
                target.copy(stored, from: textOffset, length, at: position)
                position += length
            }
            textOffset += length
            guard shape.hasRow else { continue }
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
        guard position == rest.upperBound, textOffset == textEnd else {
            throw ColumnDecoder.damaged("a record of \(place.length) bytes")
        }
    }
}

extension GroupShape {
    /// Writes the length and the kind of a record, and returns the position after them.
    @inline(__always)
    func writeHead(
        to target: inout MutableSpan<UInt8>, _ range: Range<Int>
    ) throws(DaybookError) -> Int {
        guard let body = Varint.bodyLength(ofPrefixed: range.count), body >= bodyLengthMin else {
            throw ColumnDecoder.damaged("a record of \(range.count) bytes")
        }
        var position = range.lowerBound
        target.store(varint: UInt64(body), at: &position)
        target[position] = kind
        return position + 1
    }

    /// Whether a leading number fits `room` bytes before the rest of a record.
    @inline(__always)
    func fits(_ value: UInt64, _ room: Int) -> Bool {
        room >= Varint.length(value) + rowLengthMin
    }
}

extension Varint {
    /// The length of a body whose length is stored before it, from the length of both; nil if no
    /// body results in that length.
    @inline(__always)
    fileprivate static func bodyLength(ofPrefixed length: Int) -> Int? {
        for prefix in 1...lengthMax where length > prefix {
            let body = length - prefix
            if Varint.length(UInt64(body)) == prefix { return body }
        }
        return nil
    }
}
