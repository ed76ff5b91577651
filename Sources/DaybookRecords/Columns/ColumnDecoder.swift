import DaybookBytes

/// Decodes the output of ``ColumnEncoder``. The input is not trusted.
struct ColumnDecoder: ~Escapable {
    var heads: ByteReader
    private var planes: ByteReader
    private var bits: ByteReader
    /// The position of the next variable bytes in `stored`, and the end of all of them.
    private var text: Int
    private let textEnd: Int

    @_lifetime(copy stored)
    init(_ stored: Span<UInt8>, heads: Range<Int>, texts: Range<Int>, planes: Range<Int>) {
        self.heads = ByteReader(stored.extracting(heads))
        self.planes = ByteReader(stored.extracting(planes))
        bits = ByteReader(stored.extracting(planes.upperBound..<stored.count))
        text = texts.lowerBound
        textEnd = texts.upperBound
    }

    /// Whether all bytes were consumed.
    var isAtEnd: Bool {
        heads.remaining == 0 && planes.remaining == 0 && bits.remaining == 0 && text == textEnd
    }

    /// Fills `values` with a column of `count` numbers.
    mutating func numbers(
        _ count: Int, width: Int = 8, into values: inout [Int64], isNested: Bool = false
    ) throws(DaybookError) {
        if values.count != count { values = [Int64](repeating: 0, count: count) }
        let mode = try heads.uint8()
        let digits = Int(mode >> TranspositionFormat.decimalShift) - 1
        let isDelta = mode & TranspositionFormat.isDelta != 0
        let storage = mode & TranspositionFormat.storageMask
        if storage == TranspositionFormat.storageDictionary {
            guard !isNested, !isDelta else { throw Self.damaged("a dictionary within another") }
            try dictionary(count, into: &values)
        } else {
            let base = try heads.zigzag()
            switch storage {
            case TranspositionFormat.storageConstant:
                guard !isDelta else { throw Self.damaged("a constant that changes") }
                BitPacking.unpack(Span(), base: base, width: 0, into: &values)
            case TranspositionFormat.storageBits:
                let bitCount = Int(try heads.uint8())
                guard bitCount <= TranspositionFormat.bitsMax || bitCount == 64 else {
                    throw Self.damaged("numbers of \(bitCount) bits")
                }
                let packed = try bits.take(BitPacking.length(count: count, width: bitCount))
                BitPacking.unpack(packed, base: base, width: bitCount, into: &values)
            case TranspositionFormat.storagePlanes:
                try joinPlanes(base: base, into: &values)
            default: throw Self.damaged("a storage of \(storage)")
            }
            if isDelta { Self.addUp(&values, start: try heads.zigzag()) }
        }
        guard digits >= 0 else { return }
        guard digits <= DecimalNumbers.digitsMax, width >= 4 else {
            throw Self.damaged("\(digits) decimal digits")
        }
        DecimalNumbers.restore(&values, digits: digits, isDouble: width == 8)
    }

    /// Fills `starts` and `lengths` with the positions of a column's strings in the stored bytes.
    /// `lengthMax` bounds their total length.
    mutating func variable(
        _ count: Int, lengthMax: Int, starts: inout [UInt32], lengths: inout [UInt32]
    ) throws(DaybookError) {
        var numbers: [Int64] = []
        switch try heads.uint8() {
        case TranspositionFormat.variablePlain:
            try self.numbers(count, into: &numbers)
            for length in numbers { try place(length, &starts, &lengths) }
        case TranspositionFormat.variableDictionary:
            let entryCount = try heads.count(atMost: TranspositionFormat.dictionaryCountMax)
            var entryStarts: [UInt32] = []
            var entryLengths: [UInt32] = []
            try self.numbers(entryCount, into: &numbers)
            for length in numbers { try place(length, &entryStarts, &entryLengths) }
            try self.numbers(count, into: &numbers)
            for number in numbers {
                guard number >= 0, number < entryCount else {
                    throw Self.damaged("a string's index")
                }
                starts.append(entryStarts[Int(number)])
                lengths.append(entryLengths[Int(number)])
            }
        default: throw Self.damaged("an unknown kind of strings")
        }
        var total = 0
        for length in lengths { total += Int(length) }
        guard total <= lengthMax else { throw Self.damaged("strings of \(total) bytes") }
    }

    @inline(__always)
    private mutating func place(
        _ length: Int64, _ starts: inout [UInt32], _ lengths: inout [UInt32]
    ) throws(DaybookError) {
        guard length >= 0, length <= textEnd - text else {
            throw Self.damaged("a string of \(length) bytes")
        }
        starts.append(UInt32(truncatingIfNeeded: text))
        lengths.append(UInt32(truncatingIfNeeded: length))
        text += Int(length)
    }

    private mutating func dictionary(
        _ count: Int, into values: inout [Int64]
    ) throws(DaybookError) {
        let tableCount = try heads.count(atMost: TranspositionFormat.dictionaryCountMax)
        var table: [Int64] = []
        try numbers(tableCount, into: &table, isNested: true)
        try numbers(count, into: &values, isNested: true)
        for index in values.indices {
            let number = values[index]
            guard number >= 0, number < tableCount else { throw Self.damaged("a number's index") }
            values[index] = table[Int(number)]
        }
    }

    private mutating func joinPlanes(
        base: Int64, into values: inout [Int64]
    ) throws(DaybookError) {
        let planeCount = Int(try heads.uint8())
        guard planeCount <= 8 else { throw Self.damaged("\(planeCount) byte planes") }
        for index in values.indices { values[index] = base }
        for plane in 0..<planeCount {
            let bytes = try planes.take(values.count)
            let shift = UInt64(8 * plane)
            for index in values.indices {
                values[index] &+= Int64(bitPattern: UInt64(bytes[index]) &<< shift)
            }
        }
    }

    private static func addUp(_ values: inout [Int64], start: Int64) {
        var sum = start
        for index in values.indices {
            sum &+= values[index]
            values[index] = sum
        }
    }

    static func damaged(_ what: String) -> DaybookError {
        DaybookError(
            .corruption,
            "A rearranged payload is damaged: \(what) is invalid. Restore the store from a backup.")
    }
}
