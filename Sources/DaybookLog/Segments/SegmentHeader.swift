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

    /// The damage of a header. All bytes of a header follow from the manifest.
    enum Damage: Sendable {
        /// Most of the header is intact: the rest of its sector is probably, too.
        case partial
        case total
    }

    /// The name of the segment's file.
    var fileName: StoreFileName { .segment(firstSequence: firstSequence, number: number) }

    /// Compares the first bytes of a file with this header.
    ///
    /// Returns the header to use: that of the file, or this one if that of the file is damaged. An
    /// intact header of another segment is `.corruption`, one of a newer format `.formatTooNew`.
    func compared(
        with bytes: [UInt8]
    ) throws(DaybookError) -> (bytes: [UInt8], damage: Damage?) {
        let expected = encoded().bytes.bytes
        if bytes == expected { return (expected, nil) }
        guard let found = Self.found(in: bytes.span) else {
            let equalCount = zip(bytes, expected).count { $0 == $1 }
            return (expected, equalCount > Format.length * 3 / 4 ? .partial : .total)
        }
        if found.oldestReader > LogFormat.version {
            throw .formatTooNew(found: found.version, file: "segment \(number)")
        }
        let header = found.header
        guard found.flags == 0, header.store == store, header.number == number,
            header.firstSequence == firstSequence
        else {
            throw .corruption(
                segment: number, offset: 0,
                "its header is that of segment \(header.number) of store \(header.store), from"
                    + " sequence \(header.firstSequence)")
        }
        return (bytes, nil)
    }

    /// A header that passes its check.
    struct Found {
        var version: UInt16
        var oldestReader: UInt16
        var flags: UInt32
        var header: SegmentHeader
        /// The check that the first frame is chained from.
        var check: UInt64
    }

    /// The header of a segment of any store; nil if it is damaged.
    static func found(in bytes: Span<UInt8>) -> Found? {
        guard bytes.count >= Format.length, bytes.loadLittleEndian(at: 0) == Format.magic,
            let check = bytes.loadLittleEndian(UInt64.self, at: Format.checkOffset),
            check == XXH64.hash(bytes.extracting(0..<Format.checkOffset))
        else { return nil }
        var reader = ByteReader(bytes)
        return try? Found(reading: &reader, check: check)
    }
}

extension SegmentHeader.Found {
    fileprivate init(reading reader: inout ByteReader, check: UInt64) throws(DaybookError) {
        try reader.skip(8)
        version = try reader.uint16()
        oldestReader = try reader.uint16()
        flags = try reader.uint32()
        header = SegmentHeader(
            store: try StoreIdentity(reading: &reader), number: try reader.uint64(),
            firstSequence: try reader.uint64(), createdMicroseconds: try reader.uint64())
        self.check = check
    }
}

extension Manifest {
    /// The header of an existing or new segment.
    func header(number: UInt64, firstSequence: UInt64) -> SegmentHeader {
        SegmentHeader(
            store: store, number: number, firstSequence: firstSequence,
            createdMicroseconds: createdMicroseconds)
    }

    /// The header of a sealed segment.
    func header(of entry: SegmentEntry) -> SegmentHeader {
        header(number: entry.number, firstSequence: entry.firstSequence)
    }

    /// Replaces a damaged header at the start of a sealed segment's bytes.
    package func restoreHeader(of entry: SegmentEntry, in bytes: inout [UInt8]) {
        let length = LogFormat.SegmentHeader.length
        guard bytes.count >= length,
            let compared = try? header(of: entry).compared(with: Array(bytes.prefix(length))),
            compared.damage != nil
        else { return }
        bytes.replaceSubrange(0..<length, with: compared.bytes)
    }

    /// The header of the active segment.
    var activeHeader: SegmentHeader {
        header(number: activeNumber, firstSequence: activeFirstSequence)
    }
}
