package import DaybookBytes

/// A payload in the packed form, from which records are decoded one by one.
///
/// Memory: the stored bytes, and about 24 bytes for each column.
package final class PackedPayload: PackedRecords {
    private let stored: [UInt8]
    package let rawLength: Int
    private let tokens: TokenTable?
    private let recordCount: Int
    private let groups: [PackedGroup]
    private let lengths: PackedColumn
    private let textLengths: PackedColumn
    private let sequence: PackedColumn
    private let textsOffset: Int

    /// Reads the descriptions of the columns.
    ///
    /// - Parameter tokens: the table of the coded texts; nil if there is none.
    ///
    /// Throws `.corruption` for invalid bytes, and `.formatTooNew` for a format of a later release.
    /// Records are checked when they are decoded.
    package init(
        _ stored: [UInt8], rawLength: Int, tokens: TokenTable?
    ) throws(DaybookError) {
        guard rawLength >= 0, rawLength <= PackedFormat.payloadLengthMax,
            stored.count <= Int32.max
        else {
            throw ColumnDecoder.damaged("a payload of \(rawLength) bytes")
        }
        var front = ByteReader(stored.span)
        let format = try front.uint8()
        guard format == PackedFormat.current else {
            throw DaybookError(
                .formatTooNew,
                "A payload was packed by a newer release (\(format)); open it with that.")
        }
        recordCount = try front.count(atMost: rawLength)
        let headsLength = try front.count(atMost: stored.count)
        let bitsLength = try front.count(atMost: stored.count)
        guard recordCount > 0, headsLength + bitsLength <= front.remaining else {
            throw ColumnDecoder.damaged("its division")
        }
        var bitsOffset = front.offset + headsLength
        let bitsEnd = bitsOffset + bitsLength
        var heads = ByteReader(stored.span.extracting(front.offset..<bitsOffset))
        var groups: [PackedGroup] = []
        var describedCount = 0
        for _ in 0..<(try heads.count(atMost: recordCount)) {
            let group = try PackedGroup(from: &heads, rawLength: rawLength)
            describedCount += group.shape.recordCount
            guard describedCount <= recordCount else {
                throw ColumnDecoder.damaged("\(describedCount) records")
            }
            groups.append(group)
        }
        let count = recordCount
        lengths = try PackedColumn(from: &heads, count: count, &bitsOffset, bitsEnd: bitsEnd)
        textLengths = try PackedColumn(from: &heads, count: count, &bitsOffset, bitsEnd: bitsEnd)
        sequence = try PackedColumn(from: &heads, count: count, &bitsOffset, bitsEnd: bitsEnd)
        for index in groups.indices {
            try groups[index].readColumns(from: &heads, &bitsOffset, bitsEnd: bitsEnd)
        }
        guard heads.remaining == 0, bitsOffset == bitsEnd, describedCount == recordCount else {
            throw ColumnDecoder.damaged("bytes left over")
        }
        self.groups = groups
        textsOffset = bitsEnd
        self.stored = stored
        self.rawLength = rawLength
        self.tokens = tokens
    }

    /// The bytes of memory that the payload takes, beside the token table.
    package var memoryBytes: Int {
        var bytes = stored.count + 256
        for group in groups {
            bytes += MemoryLayout<PackedGroup>.stride + 96 + group.shape.widths.count
            bytes += group.columns.count * MemoryLayout<PackedColumn>.stride
            bytes += group.texts.count * MemoryLayout<PackedGroup.Texts>.stride
        }
        return bytes
    }

    /// A record that is about to be decoded.
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

    /// The record that starts at `offset` of the payload, encoded as there.
    ///
    /// Cost: about 2 ns for each record before it, and its decoding. Throws `.corruption` if no
    /// record starts there, or for invalid bytes.
    package func record(at offset: Int) throws(DaybookError) -> [UInt8] {
        guard let place = place(at: offset) else {
            throw ColumnDecoder.damaged("a record at \(offset)")
        }
        try check(place)
        var record = [UInt8](repeating: 0, count: place.length)
        var target = record.mutableSpan
        try decode(place, to: &target, at: 0)
        return record
    }

    /// The whole payload.
    ///
    /// Throws `.corruption` for invalid bytes; the result never takes more than `rawLength` bytes.
    package func payload() throws(DaybookError) -> [UInt8] {
        var payload = [UInt8](repeating: 0, count: rawLength)
        var target = payload.mutableSpan
        var counts = [Int](repeating: 0, count: groups.count)
        var place = Place(textOffset: textsOffset)
        for index in 0..<recordCount {
            fill(&place, index)
            guard place.group >= 0, place.group < groups.count else {
                throw ColumnDecoder.damaged("a group of \(place.group)")
            }
            place.rank = counts[place.group]
            counts[place.group] += 1
            try check(place)
            try decode(place, to: &target, at: place.offset)
            place.offset += place.length
            place.textOffset += place.textLength
        }
        guard place.offset == rawLength, place.textOffset == stored.count else {
            throw ColumnDecoder.damaged("\(place.offset) bytes")
        }
        return payload
    }

    /// The record at an offset; nil if none starts there.
    private func place(at offset: Int) -> Place? {
        let bytes = stored
        let stored = bytes.span
        var start = 0
        var textOffset = textsOffset
        var index = 0
        while index < recordCount, start < offset {
            start &+= Int(truncatingIfNeeded: lengths.value(at: index, in: stored))
            textOffset &+= Int(truncatingIfNeeded: textLengths.value(at: index, in: stored))
            index &+= 1
        }
        guard index < recordCount, start == offset else { return nil }
        var place = Place(offset: start, textOffset: textOffset)
        fill(&place, index)
        if groups.count == 1 {
            place.rank = index
        } else {
            for earlier in 0..<index
            where sequence.value(at: earlier, in: stored) == Int64(place.group) {
                place.rank &+= 1
            }
        }
        return place
    }

    private func fill(_ place: inout Place, _ index: Int) {
        let bytes = stored
        let stored = bytes.span
        place.length = Int(truncatingIfNeeded: lengths.value(at: index, in: stored))
        place.textLength = Int(truncatingIfNeeded: textLengths.value(at: index, in: stored))
        place.group = Int(truncatingIfNeeded: sequence.value(at: index, in: stored))
    }

    /// Throws `.corruption` if a record is outside of the payload, or has no group.
    private func check(_ place: Place) throws(DaybookError) {
        guard place.group >= 0, place.group < groups.count,
            place.rank < groups[place.group].shape.recordCount
        else { throw ColumnDecoder.damaged("a group of \(place.group)") }
        guard place.length > 0, place.offset >= 0, place.length <= rawLength - place.offset,
            place.textLength >= 0, place.textOffset >= textsOffset,
            place.textLength <= stored.count - place.textOffset
        else { throw ColumnDecoder.damaged("a record of \(place.length) bytes") }
    }

    private func decode(
        _ place: Place, to target: inout MutableSpan<UInt8>, at start: Int
    ) throws(DaybookError) {
        let bytes = stored
        try groups[place.group].decode(
            place, in: bytes.span, tokens, to: &target, start..<(start + place.length))
    }
}
