import DaybookBytes

/// The manifest's entry of a sealed segment.
package struct SegmentEntry: Equatable, Sendable {
    package var number: UInt64
    package var firstSequence: UInt64
    package var lastSequence: UInt64
    /// The length of the file.
    package var length: Int
    /// XXH64 of the file.
    package var hash: UInt64
    /// The offset of the seal frame with the sparse index; 0 for the active segment.
    package var sealOffset: Int
    /// The total length of payloads before compression.
    package var rawBytes: Int
    package var recordCount: Int
    /// Whether its payloads were rewritten into compressed blocks.
    package var isBlocked: Bool

    /// The name of its file.
    package var fileName: StoreFileName { .segment(firstSequence: firstSequence, number: number) }

    init(
        number: UInt64, firstSequence: UInt64, lastSequence: UInt64, length: Int, hash: UInt64,
        sealOffset: Int, rawBytes: Int, recordCount: Int, isBlocked: Bool
    ) {
        self.number = number
        self.firstSequence = firstSequence
        self.lastSequence = lastSequence
        self.length = length
        self.hash = hash
        self.sealOffset = sealOffset
        self.rawBytes = rawBytes
        self.recordCount = recordCount
        self.isBlocked = isBlocked
    }

    init(reading reader: inout ByteReader) throws(DaybookError) {
        self.init(
            number: try reader.uint64(), firstSequence: try reader.uint64(),
            lastSequence: try reader.uint64(), length: try reader.length(),
            hash: try reader.uint64(), sealOffset: try reader.length(),
            rawBytes: try reader.length(), recordCount: try reader.length(),
            isBlocked: try reader.uint8() != 0)
    }

    func write(to writer: inout ByteWriter) {
        writer.uint64(number)
        writer.uint64(firstSequence)
        writer.uint64(lastSequence)
        writer.varint(UInt64(length))
        writer.uint64(hash)
        writer.varint(UInt64(sealOffset))
        writer.varint(UInt64(rawBytes))
        writer.varint(UInt64(recordCount))
        writer.uint8(isBlocked ? 1 : 0)
    }
}
