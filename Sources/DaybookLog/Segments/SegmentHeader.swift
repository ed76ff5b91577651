import DaybookBytes

/// The header of a segment: its store, its number and its first sequence.
struct SegmentHeader: Equatable, Sendable {
    typealias Format = LogFormat.SegmentHeader

    var store: StoreIdentity
    var number: UInt64
    var firstSequence: UInt64
    var createdMicroseconds: UInt64

    /// The encoded header, and the check that the first frame is chained from.
    func encoded() -> (bytes: ByteWriter, check: UInt64) {
        var writer = ByteWriter(capacity: Format.length)
        writer.uint64(Format.magic)
        writer.uint16(LogFormat.version)
        writer.uint16(LogFormat.oldestReader)
        writer.uint32(0)
        store.write(to: &writer)
        writer.uint64(number)
        writer.uint64(firstSequence)
        writer.uint64(createdMicroseconds)
        let check = XXH64.hash(writer.span)
        writer.uint64(check)
        return (writer, check)
    }

    /// Decodes the header of segment `number` of `store`; any other header is `.corruption` or
    /// `.formatTooNew`.
    static func decode(
        _ bytes: Span<UInt8>, store: StoreIdentity, number: UInt64
    ) throws(DaybookError) -> (header: SegmentHeader, check: UInt64) {
        guard bytes.count >= Format.length else {
            throw damaged(number, "it is shorter than a header")
        }
        var reader = ByteReader(bytes)
        guard try reader.uint64() == Format.magic else {
            throw damaged(number, "it is not a segment")
        }
        let version = try reader.uint16()
        let oldestReader = try reader.uint16()
        let flags = try reader.uint32()
        let header = SegmentHeader(
            store: try StoreIdentity(reading: &reader), number: try reader.uint64(),
            firstSequence: 0, createdMicroseconds: 0)
        var complete = header
        complete.firstSequence = try reader.uint64()
        complete.createdMicroseconds = try reader.uint64()
        let check = try reader.uint64()
        guard check == XXH64.hash(bytes.extracting(0..<Format.checkOffset)) else {
            throw damaged(number, "its header fails its check")
        }
        if oldestReader > LogFormat.version {
            throw .formatTooNew(found: version, file: "segment \(number)")
        }
        guard complete.firstSequence > 0, complete.firstSequence < .max else {
            throw damaged(number, "it has no first sequence")
        }
        guard flags == 0, header.store == store, header.number == number else {
            throw damaged(number, "it belongs to store \(header.store) as number \(header.number)")
        }
        return (complete, check)
    }

    private static func damaged(_ number: UInt64, _ why: String) -> DaybookError {
        .corruption(segment: number, offset: 0, why)
    }
}
