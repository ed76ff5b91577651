import DaybookBytes

extension PackedGroup {
    /// Decodes one record to `target`, which is as long as the record.
    ///
    /// Throws `.corruption` if the record has another length, or for invalid bytes.
    func decode(
        _ place: PackedReader.Place, in stored: Span<UInt8>, _ tokens: TokenTable?,
        to target: inout MutableSpan<UInt8>
    ) throws(DaybookError) {
        var position = try writeHead(to: &target, 0..<target.count)
        for number in 0..<shape.numberCount {
            let value = UInt64(bitPattern: columns[number].value(at: place.rank, in: stored))
            guard Self.fits(value, target.count - position, before: shape.rowLengthMin) else {
                throw ColumnDecoder.damaged("the number \(value)")
            }
            target.store(varint: value, at: &position)
        }
        if shape.hasRow { writeFixed(place.rank, stored, to: &target, at: position) }
        try writeTexts(place, stored, tokens, to: &target, position..<target.count)
    }

    /// Writes the length and the kind of a record, and returns the position after them.
    @inline(__always)
    func writeHead(
        to target: inout MutableSpan<UInt8>, _ range: Range<Int>
    ) throws(DaybookError) -> Int {
        guard let body = Varint.bodyLength(ofPrefixed: range.count),
            body >= shape.bodyLengthMin
        else { throw ColumnDecoder.damaged("a record of \(range.count) bytes") }
        var position = range.lowerBound
        target.store(varint: UInt64(body), at: &position)
        target[position] = shape.kind
        return position + 1
    }

    /// Whether a number fits `room` bytes, of which some must remain.
    @inline(__always)
    static func fits(_ value: UInt64, _ room: Int, before rest: Int) -> Bool {
        room >= Varint.length(value) + rest
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

    /// Writes the tail of a record, or the end offsets and bytes of its variable fields. The range
    /// is the rest of the record after its numbers, and must be filled.
    func writeTexts(
        _ place: PackedReader.Place, _ stored: Span<UInt8>, _ tokens: TokenTable?,
        to target: inout MutableSpan<UInt8>, _ rest: Range<Int>
    ) throws(DaybookError) {
        let first = rest.lowerBound + shape.rowLengthMin
        var position = first
        var textOffset = place.textOffset
        let textEnd = textOffset + place.textLength
        var table = rest.lowerBound + shape.fixedLength
        for text in texts {
            var length = textEnd - textOffset
            if let lengths = text.lengths {
                let stated = Int(truncatingIfNeeded: lengths.value(at: place.rank, in: stored))
                guard stated >= 0, stated <= length else {
                    throw ColumnDecoder.damaged("a text of \(stated) bytes")
                }
                length = stated
            }
            if text.isCoded {
                guard let tokens else {
                    throw ColumnDecoder.damaged("a text without a token table")
                }
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
