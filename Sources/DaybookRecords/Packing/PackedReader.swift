import DaybookBytes

/// Reads the descriptions of a packed payload, group by group. The input is not trusted.
struct PackedReader: ~Escapable {
    let stored: Span<UInt8>
    let rawLength: Int
    let recordCount: Int
    let groupCount: Int
    /// The columns of all records: their lengths in the payload, the lengths of their texts, and
    /// their groups.
    let lengths: PackedColumn
    let textLengths: PackedColumn
    let sequence: PackedColumn
    let textsOffset: Int
    private var heads: ByteReader
    private var bitsOffset: Int
    private let bitsEnd: Int

    /// Reads the columns of all records. Throws `.corruption` for invalid bytes, and
    /// `.formatTooNew` for a format of a later release.
    @_lifetime(copy stored)
    init(_ stored: Span<UInt8>, rawLength: Int) throws(DaybookError) {
        guard rawLength >= 0, rawLength <= PackedFormat.payloadLengthMax,
            stored.count <= Int32.max
        else { throw ColumnDecoder.damaged("a payload of \(rawLength) bytes") }
        var front = ByteReader(stored)
        let format = try front.uint8()
        guard format == PackedFormat.current else {
            throw DaybookError(
                .formatTooNew,
                "A payload was packed by a newer release (\(format)); open it with that.")
        }
        let recordCount = try front.count(atMost: rawLength)
        let headsLength = try front.count(atMost: stored.count)
        let bitsLength = try front.count(atMost: stored.count)
        guard recordCount > 0, headsLength + bitsLength <= front.remaining else {
            throw ColumnDecoder.damaged("its division")
        }
        var bitsOffset = front.offset + headsLength
        bitsEnd = bitsOffset + bitsLength
        var heads = ByteReader(stored.extracting(front.offset..<bitsOffset))
        groupCount = try heads.count(atMost: recordCount)
        lengths = try PackedColumn(
            from: &heads, count: recordCount, &bitsOffset, bitsEnd: bitsEnd)
        textLengths = try PackedColumn(
            from: &heads, count: recordCount, &bitsOffset, bitsEnd: bitsEnd)
        sequence = try PackedColumn(
            from: &heads, count: recordCount, &bitsOffset, bitsEnd: bitsEnd)
        self.stored = stored
        self.rawLength = rawLength
        self.recordCount = recordCount
        self.heads = heads
        self.bitsOffset = bitsOffset
        textsOffset = bitsEnd
    }

    /// Reads the shape of the next group. The caller counts the groups, and reads all columns of
    /// one in their order.
    mutating func nextShape() throws(DaybookError) -> GroupShape {
        try GroupShape(from: &heads, rawLength: rawLength)
    }

    /// Reads the next column of numbers of a group: the column with this index.
    @inline(__always)
    mutating func nextColumn(
        _ index: Int, of shape: GroupShape
    ) throws(DaybookError) -> PackedColumn {
        try PackedColumn(
            from: &heads, count: shape.recordCount, widthBytes: shape.widthBytes(ofColumn: index),
            &bitsOffset, bitsEnd: bitsEnd)
    }

    /// A variable field or tail of a group.
    struct TextColumn {
        let isCoded: Bool
        /// The column of the stored lengths; nil for the last field, whose text ends with those of
        /// its record.
        let lengths: PackedColumn?
    }

    /// Reads the variable fields or the tail of a group, after its columns of numbers.
    mutating func nextTexts(of shape: GroupShape) throws(DaybookError) -> [TextColumn] {
        var texts: [TextColumn] = []
        texts.reserveCapacity(shape.textCount)
        for index in 0..<shape.textCount {
            let storage = try heads.uint8()
            guard storage <= PackedFormat.tokenTexts else {
                throw ColumnDecoder.damaged("a text storage of \(storage)")
            }
            let isLast = index == shape.textCount - 1
            let lengths =
                isLast
                ? nil
                : try PackedColumn(
                    from: &heads, count: shape.recordCount, &bitsOffset, bitsEnd: bitsEnd)
            texts.append(
                TextColumn(isCoded: storage == PackedFormat.tokenTexts, lengths: lengths))
        }
        return texts
    }

    /// Whether all descriptions were read.
    var isAtEnd: Bool { heads.remaining == 0 && bitsOffset == bitsEnd }

    /// A record of the payload.
    struct Place {
        var offset = 0
        /// The length in the payload.
        var length = 0
        var textOffset: Int
        var textLength = 0
        var group = 0
        /// The number of earlier records of the group.
        var rank = 0
    }

    /// The record at an offset. Throws `.corruption` if none starts there.
    func place(at offset: Int) throws(DaybookError) -> Place {
        var place = Place(textOffset: textsOffset)
        var index = 0
        while index < recordCount, place.offset < offset {
            place.offset &+= Int(truncatingIfNeeded: lengths.value(at: index, in: stored))
            place.textOffset &+= Int(truncatingIfNeeded: textLengths.value(at: index, in: stored))
            index &+= 1
        }
        guard index < recordCount, place.offset == offset else {
            throw ColumnDecoder.damaged("a record at \(offset)")
        }
        try fill(&place, index)
        place.rank = index
        guard groupCount > 1 else { return place }
        for earlier in 0..<index
        where sequence.value(at: earlier, in: stored) != Int64(place.group) {
            place.rank &-= 1
        }
        return place
    }

    /// Completes the place of the record with this index. Throws `.corruption` if the record is not
    /// in the payload, or has no group.
    func fill(_ place: inout Place, _ index: Int) throws(DaybookError) {
        place.length = Int(truncatingIfNeeded: lengths.value(at: index, in: stored))
        place.textLength = Int(truncatingIfNeeded: textLengths.value(at: index, in: stored))
        place.group = Int(truncatingIfNeeded: sequence.value(at: index, in: stored))
        guard place.group >= 0, place.group < groupCount else {
            throw ColumnDecoder.damaged("a group of \(place.group)")
        }
        guard place.length > 0, place.offset >= 0, place.length <= rawLength - place.offset,
            place.textLength >= 0, place.textOffset >= textsOffset,
            place.textLength <= stored.count - place.textOffset
        else { throw ColumnDecoder.damaged("a record of \(place.length) bytes") }
    }
}
