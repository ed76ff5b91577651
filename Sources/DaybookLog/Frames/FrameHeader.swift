import DaybookBytes

/// The header of a frame.
package struct FrameHeader: Equatable, Sendable {
    typealias Format = LogFormat.FrameHeader

    package var kind: UInt8
    package var codec: FrameCodec
    /// The id of the dictionary that decompression needs: the segment's, or 0 for none.
    package var dictionary: UInt16 = 0
    package var storedLength: Int
    package var rawLength: Int
    package var recordCount: UInt32
    /// The sequence of the first record's transaction.
    package var firstSequence: UInt64
    /// The sequence of the last record's transaction.
    package var lastSequence: UInt64
    /// The highest sequence known to be synced when this frame was written.
    package var durableSequence: UInt64
    /// Microseconds since 1970.
    package var timeMicroseconds: UInt64
    /// Whether the last transaction ends in this frame.
    package var endsTransaction: Bool
    /// The keys of the records.
    package var keys = KeyRange.none

    /// The length of the whole frame in the segment.
    package var frameLength: Int { LogFormat.frameLength(storedLength: storedLength) }

    private static let endsTransactionFlag: UInt32 = 1

    func write(to writer: inout ByteWriter, seed: UInt64) {
        let start = writer.count
        writer.uint32(Format.magic)
        writer.uint32(0)
        writer.uint32(UInt32(storedLength))
        writer.uint32(UInt32(rawLength))
        writer.uint8(kind)
        writer.uint8(codec.rawValue)
        writer.uint16(dictionary)
        writer.uint32(recordCount)
        writer.uint64(firstSequence)
        writer.uint64(lastSequence)
        writer.uint64(durableSequence)
        writer.uint64(timeMicroseconds)
        writer.uint32(0)  // writer epoch
        writer.uint32(endsTransaction ? Self.endsTransactionFlag : 0)
        writer.uint64(keys.lowest)
        writer.uint64(keys.highest)
        let check = UInt32(
            truncatingIfNeeded: XXH64.hash(
                writer.span.extracting((start + 8)..<(start + Format.length)), seed: seed))
        writer.patch(uint32: check, at: start + Format.headerCheckOffset)
    }

    /// Decodes a header; nil for a wrong magic or check. A valid header with a codec, a dictionary
    /// or a flag that this release does not know is `.formatTooNew`.
    static func decode(_ bytes: Span<UInt8>, seed: UInt64) throws(DaybookError) -> FrameHeader? {
        guard bytes.count >= Format.length,
            bytes.loadLittleEndian(UInt32.self, at: Format.magicOffset) == Format.magic
        else { return nil }
        let check = XXH64.hash(bytes.extracting(8..<Format.length), seed: seed)
        var reader = ByteReader(bytes)
        try reader.skip(Format.headerCheckOffset)
        guard try reader.uint32() == UInt32(truncatingIfNeeded: check) else { return nil }
        let storedLength = Int(try reader.uint32())
        let rawLength = Int(try reader.uint32())
        let kind = try reader.uint8()
        let codec = FrameCodec(rawValue: try reader.uint8())
        let dictionary = try reader.uint16()
        let recordCount = try reader.uint32()
        let firstSequence = try reader.uint64()
        let lastSequence = try reader.uint64()
        let durableSequence = try reader.uint64()
        let time = try reader.uint64()
        _ = try reader.uint32()
        let flags = try reader.uint32()
        let keys = KeyRange(lowest: try reader.uint64(), highest: try reader.uint64())
        guard let codec, dictionary <= LogFormat.Dictionary.id,
            flags & ~endsTransactionFlag == 0
        else {
            throw .formatTooNew(found: LogFormat.version + 1, file: "a frame")
        }
        // Bounds the sequences so that sums with them cannot overflow. (Skipped frames may have any
        // numbers.)
        let isSkipped = kind >= FrameKind.skippableFrom
        guard isSkipped || (firstSequence > 0 && lastSequence < .max && keys != nil) else {
            return nil
        }
        return FrameHeader(
            kind: kind, codec: codec, dictionary: dictionary, storedLength: storedLength,
            rawLength: rawLength, recordCount: recordCount, firstSequence: firstSequence,
            lastSequence: lastSequence, durableSequence: durableSequence, timeMicroseconds: time,
            endsTransaction: flags & endsTransactionFlag != 0, keys: keys ?? .none)
    }
}
