import DaybookBytes

/// Encodes the columns of a transposed payload. Each column of numbers uses the encoding that is
/// estimated to be shortest.
struct ColumnEncoder {
    /// The descriptions of the columns.
    var heads = ByteWriter(capacity: 512)
    /// The bytes of variable fields.
    var texts = ByteWriter(capacity: 32_768)
    /// Bytes of numbers that a compressor can shorten.
    private(set) var planes = ByteWriter(capacity: 16_384)
    /// Bit-packed numbers, which it cannot.
    private(set) var bits = ByteWriter(capacity: 32_768)

    private var differences: [Int64] = []

    /// Encodes a fixed-width field of all rows of a group.
    mutating func encode(_ column: RecordGroup.FixedColumn) {
        let (values, digits) = column.stored
        encode(values, decimal: UInt8((digits ?? -1) + 1) << TranspositionFormat.decimalShift)
    }

    /// Encodes a non-empty column of integers; unsigned 64-bit numbers are given by their bit
    /// pattern.
    mutating func encode(_ values: [Int64], decimal: UInt8 = 0) {
        let (least, most) = Self.range(values)
        if least == most {
            heads.uint8(TranspositionFormat.storageConstant | decimal)
            heads.zigzag(least)
            return
        }
        takeDifferences(values)
        let (leastStep, mostStep) = Self.range(differences)
        let direct = Candidate(values, least: least, most: most)
        let stepped = Candidate(differences, least: leastStep, most: mostStep)
        let best = min(direct.bitsPerValue, stepped.bitsPerValue)
        if best > 1, encode(asDictionary: values, decimal, ifBelow: best * Double(values.count)) {
            return
        }
        if stepped.bitsPerValue < direct.bitsPerValue {
            let flags = decimal | TranspositionFormat.isDelta
            write(differences, stepped, base: leastStep, flags: flags)
            // The first difference equals the base, so that the first value is decoded like the
            // others.
            heads.zigzag(values[0] &- leastStep)
        } else {
            write(values, direct, base: least, flags: decimal)
        }
    }

    /// Encodes the distinct values and indexes into them, if that takes fewer bits than the
    /// alternative.
    private mutating func encode(
        asDictionary values: [Int64], _ decimal: UInt8, ifBelow bitCountMax: Double
    ) -> Bool {
        guard let (table, indexes) = DistinctNumbers.find(in: values) else { return false }
        let width = BitPacking.width(largest: UInt64(table.count - 1))
        // A value in the table is estimated at five bytes.
        guard Double(width * values.count + 40 * table.count) < bitCountMax else { return false }
        heads.uint8(TranspositionFormat.storageDictionary | decimal)
        heads.varint(UInt64(table.count))
        encode(table)
        encode(indexes)
        return true
    }

    /// The estimated cost of one encoding of a column.
    private struct Candidate {
        let width: Int
        let planeCount: Int
        let usesPlanes: Bool
        let bitsPerValue: Double

        init(_ values: [Int64], least: Int64, most: Int64) {
            let largest = UInt64(bitPattern: most &- least)
            width = BitPacking.width(largest: largest)
            planeCount = (UInt64.bitWidth - largest.leadingZeroBitCount + 7) / 8
            let asPlanes =
                values.count < 32
                ? Double.infinity
                : ColumnEstimate.bitsAsPlanes(values, base: least, planeCount: planeCount)
            usesPlanes = asPlanes < Double(width)
            bitsPerValue = min(asPlanes, Double(width))
        }
    }

    private mutating func write(
        _ values: [Int64], _ candidate: Candidate, base: Int64, flags: UInt8
    ) {
        if candidate.usesPlanes {
            heads.uint8(TranspositionFormat.storagePlanes | flags)
            heads.zigzag(base)
            heads.uint8(UInt8(candidate.planeCount))
            for plane in 0..<candidate.planeCount {
                let shift = UInt64(8 * plane)
                for value in values {
                    planes.uint8(
                        UInt8(truncatingIfNeeded: UInt64(bitPattern: value &- base) &>> shift))
                }
            }
        } else {
            heads.uint8(TranspositionFormat.storageBits | flags)
            heads.zigzag(base)
            heads.uint8(UInt8(candidate.width))
            BitPacking.pack(values, base: base, width: candidate.width, to: &bits)
        }
    }

    /// Computes the differences between neighbouring values; the first difference is free.
    private mutating func takeDifferences(_ values: [Int64]) {
        differences.removeAll(keepingCapacity: true)
        differences.append(0)
        var last = values[0]
        var least = Int64.max
        for value in values.dropFirst() {
            let difference = value &- last
            least = min(least, difference)
            differences.append(difference)
            last = value
        }
        differences[0] = least
    }

    private static func range(_ values: [Int64]) -> (least: Int64, most: Int64) {
        var least = values[0]
        var most = values[0]
        for value in values {
            least = min(least, value)
            most = max(most, value)
        }
        return (least, most)
    }
}
