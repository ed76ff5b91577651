package import DaybookBytes

/// A payload in the packed form, from which records are decoded one by one.
package final class PackedPayload: PackedRecords {
    private let stored: [UInt8]
    private let tokens: TokenTable?
    package let rawLength: Int
    package let memoryBytes: Int

    /// - Parameter tokens: the table of the coded texts; nil if there is none.
    package init(_ stored: [UInt8], rawLength: Int, tokens: TokenTable?) {
        self.stored = stored
        self.rawLength = rawLength
        self.tokens = tokens
        memoryBytes = stored.capacity + Self.overheadBytes
    }

    /// The memory of this object, as malloc rounds it.
    private static let overheadBytes = 64

    /// The record that starts at `offset` of the payload, encoded as there.
    ///
    /// Cost: about 2 ns for each record before it, and its decoding, some 0.3 µs. Throws
    /// `.corruption` if no record starts there, or for invalid bytes, and `.formatTooNew` for a
    /// format of a later release.
    package func record(at offset: Int) throws(DaybookError) -> [UInt8] {
        let bytes = stored
        var reader = try PackedReader(bytes.span, rawLength: rawLength)
        let place = try reader.place(at: offset)
        for _ in 0..<place.group { _ = try reader.nextGroup() }
        let group = try reader.nextGroup()
        guard place.rank >= 0, place.rank < group.shape.recordCount else {
            throw ColumnDecoder.damaged("a record too many")
        }
        var record = [UInt8](repeating: 0, count: place.length)
        var target = record.mutableSpan
        try group.decode(place, in: reader.stored, tokens, to: &target)
        return record
    }

    /// The whole payload.
    ///
    /// Cost: some 0.1 µs for each record. Throws `.corruption` for invalid bytes, and
    /// `.formatTooNew` for a format of a later release.
    package func payload() throws(DaybookError) -> [UInt8] {
        let bytes = stored
        var reader = try PackedReader(bytes.span, rawLength: rawLength)
        var groups: [PackedGroup] = []
        var describedCount = 0
        for _ in 0..<reader.groupCount {
            let group = try reader.nextGroup()
            describedCount += group.shape.recordCount
            guard describedCount <= reader.recordCount else {
                throw ColumnDecoder.damaged("\(describedCount) records")
            }
            groups.append(group)
        }
        guard reader.isAtEnd, describedCount == reader.recordCount else {
            throw ColumnDecoder.damaged("bytes left over")
        }
        var places = groups.map { _ in [PackedReader.Place]() }
        var place = PackedReader.Place(textOffset: reader.textsOffset)
        for index in 0..<reader.recordCount {
            try reader.fill(&place, index)
            place.rank = places[place.group].count
            guard place.rank < groups[place.group].shape.recordCount else {
                throw ColumnDecoder.damaged("a record too many")
            }
            places[place.group].append(place)
            place.offset += place.length
            place.textOffset += place.textLength
        }
        guard place.offset == rawLength, place.textOffset == stored.count else {
            throw ColumnDecoder.damaged("\(place.offset) bytes")
        }
        var payload = [UInt8](repeating: 0, count: rawLength)
        var target = payload.mutableSpan
        for (group, places) in zip(groups, places) {
            try group.decodeAll(places, in: reader.stored, tokens, to: &target)
        }
        return payload
    }
}
