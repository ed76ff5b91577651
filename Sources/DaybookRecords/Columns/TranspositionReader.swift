import DaybookBytes

/// Decodes a transposed payload.
///
/// The lengths of all records are decoded first and must fill the payload exactly. Only then is the
/// payload allocated and filled, column by column.
struct TranspositionReader: ~Escapable {
    private let stored: Span<UInt8>
    private let rawLength: Int
    private let recordCount: Int
    private var columns: ColumnDecoder
    private var groups: [TransposedGroup] = []

    @_lifetime(copy stored)
    init(_ stored: Span<UInt8>, rawLength: Int) throws(DaybookError) {
        guard rawLength >= 0, rawLength <= Int32.max, stored.count <= Int32.max else {
            throw ColumnDecoder.damaged("a payload of \(rawLength) bytes")
        }
        var front = ByteReader(stored)
        let format = try front.uint8()
        guard format == TranspositionFormat.current else {
            throw DaybookError(
                .formatTooNew,
                "A payload was rearranged by a newer release (\(format)); open it with that.")
        }
        recordCount = try front.length()
        let headsLength = try front.length()
        let textsLength = try front.length()
        let planesLength = try front.length()
        let lengthMax = front.remaining
        guard recordCount <= min(rawLength, TranspositionFormat.recordCountMax) else {
            throw ColumnDecoder.damaged("a payload of \(recordCount) records")
        }
        guard headsLength <= lengthMax, textsLength <= lengthMax,
            planesLength <= lengthMax, headsLength + textsLength + planesLength <= lengthMax
        else { throw ColumnDecoder.damaged("its division") }
        let heads = front.offset..<(front.offset + headsLength)
        let texts = heads.upperBound..<(heads.upperBound + textsLength)
        let planes = texts.upperBound..<(texts.upperBound + planesLength)
        columns = ColumnDecoder(stored, heads: heads, texts: texts, planes: planes)
        self.stored = stored
        self.rawLength = rawLength
    }

    /// Decodes the payload.
    mutating func payload() throws(DaybookError) -> [UInt8] {
        try readGroups()
        try placeRecords()
        var payload = [UInt8](repeating: 0, count: rawLength)
        for index in groups.indices {
            groups[index].writeFronts(to: &payload)
            try groups[index].writeVariable(from: stored, to: &payload)
        }
        var values: [Int64] = []
        for group in groups where group.shape.hasRow {
            try group.writeFixed(from: &columns, &values, to: &payload)
        }
        guard columns.isAtEnd else { throw ColumnDecoder.damaged("bytes left over") }
        return payload
    }

    private mutating func readGroups() throws(DaybookError) {
        let groupCount = try columns.heads.count(atMost: recordCount)
        var described = 0
        var lengthMin = 0
        // The two longest records may be the last ones: all others end before the last one starts.
        var longest = 0
        var secondLongest = 0
        for _ in 0..<groupCount {
            let group = try TransposedGroup(from: &columns, rawLength: rawLength)
            described += group.recordCount
            let recordLengthMin = 1 + group.shape.bodyLengthMin
            lengthMin += group.recordCount * recordLengthMin
            for _ in 0..<min(group.recordCount, 2) where recordLengthMin > secondLongest {
                secondLongest = min(recordLengthMin, longest)
                longest = max(recordLengthMin, longest)
            }
            guard described <= recordCount, lengthMin <= rawLength,
                lengthMin - longest - secondLongest <= TranspositionFormat.recordStartMax
            else {
                throw ColumnDecoder.damaged("\(described) records")
            }
            groups.append(group)
        }
        guard described == recordCount else { throw ColumnDecoder.damaged("\(described) records") }
    }

    /// Decodes the lengths of all records and computes their positions.
    private mutating func placeRecords() throws(DaybookError) {
        var sequence: [Int64] = []
        if recordCount > 0 { try columns.numbers(recordCount, into: &sequence) }
        for index in groups.indices {
            try groups[index].readLengths(from: &columns, rawLength: rawLength)
        }
        var position = 0
        for (index, number) in sequence.enumerated() {
            guard position < TranspositionFormat.recordStartMax || index == recordCount - 1 else {
                throw ColumnDecoder.damaged("a record at \(position)")
            }
            guard number >= 0, number < groups.count else {
                throw ColumnDecoder.damaged("a group of \(number)")
            }
            guard let length = groups[Int(number)].place(at: position) else {
                throw ColumnDecoder.damaged("a record too many")
            }
            position += length
            guard position <= rawLength else { throw ColumnDecoder.damaged("\(position) bytes") }
        }
        guard position == rawLength else { throw ColumnDecoder.damaged("\(position) bytes") }
    }
}
