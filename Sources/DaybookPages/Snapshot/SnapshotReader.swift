internal import DaybookBytes

/// Reads the header, trailer, metadata and directory of a snapshot.
struct SnapshotReader {
    private let file: any File
    let fileLength: Int
    /// The checksum of the trailer.
    private(set) var checksum: UInt64 = 0
    private(set) var version = PageVersion(sequence: 0, catalog: 0)
    private(set) var metadata: [UInt8] = []
    private(set) var directory = SnapshotDirectory()

    init(_ file: any File) throws(DaybookError) {
        self.file = file
        fileLength = try file.size()
        let headerChecksum = try readHeader()
        try readTrailer(headerChecksum)
    }

    private mutating func readHeader() throws(DaybookError) -> UInt64 {
        typealias Header = SnapshotFormat.Header
        let bytes = try read(Header.length, at: 0, "header")
        var reader = ByteReader(bytes.span)
        guard try reader.uint64() == SnapshotFormat.magic else {
            throw damaged("header", "Its first bytes are not those of a snapshot.")
        }
        let formatVersion = try reader.uint32()
        let pageSize = try reader.uint32()
        let sequence = try reader.uint64()
        let catalog = try reader.uint32()
        let checksum: UInt64 = bytes.span.loadLittleEndian(at: Header.checksum) ?? 0
        guard XXH64.hash(bytes.span.extracting(0..<Header.checksum)) == checksum else {
            throw damaged("header", "The checksum does not match.")
        }
        guard formatVersion <= SnapshotFormat.version else {
            throw DaybookError(
                .formatTooNew,
                "The snapshot has format \(formatVersion), and this release reads up to "
                    + "\(SnapshotFormat.version). Update, or remove the snapshot to rebuild it.",
                details: ["format": "\(formatVersion)"])
        }
        guard formatVersion > 0, pageSize == UInt32(Page.size) else {
            throw damaged("header", "Its pages have \(pageSize) bytes.")
        }
        guard sequence <= SnapshotFormat.sequenceMax else {
            throw damaged("header", "Its sequence is \(sequence).")
        }
        version = PageVersion(sequence: sequence, catalog: catalog)
        return checksum
    }

    private mutating func readTrailer(_ headerChecksum: UInt64) throws(DaybookError) {
        typealias Trailer = SnapshotFormat.Trailer
        let start = fileLength - Trailer.length
        let bytes = try read(Trailer.length, at: start, "trailer")
        let span = bytes.span
        guard span.loadLittleEndian(UInt64.self, at: Trailer.magic) == SnapshotFormat.magic,
            XXH64.hash(span.extracting(0..<Trailer.checksum))
                == span.loadLittleEndian(UInt64.self, at: Trailer.checksum),
            span.loadLittleEndian(UInt64.self, at: Trailer.headerChecksum) == headerChecksum
        else { throw damaged("trailer", "It does not belong to this snapshot.") }

        checksum = span.loadLittleEndian(at: Trailer.checksum) ?? 0
        var reader = ByteReader(span)
        let fields = try Fields(&reader)
        // Each part starts at the end of the previous one, so the checksums cover every byte.
        guard fields.metadataOffset >= SnapshotFormat.Header.length,
            fields.metadataLength <= start, fields.metadataOffset <= start,
            fields.metadataOffset + fields.metadataLength == fields.directoryOffset,
            fields.directoryLength <= start,
            fields.directoryOffset + fields.directoryLength == start,
            fields.directoryRawLength <= SnapshotFormat.directoryRawLengthMax,
            // The length of the file is no sufficient bound: a sparse file may claim terabytes.
            fields.directoryLength <= SnapshotFormat.directoryStoredLengthMax,
            fields.metadataLength <= SnapshotFormat.metadataLengthMax
        else { throw damaged("trailer", "Its parts are not contiguous.") }
        metadata = try readPart(
            "metadata", fields.metadataOffset, fields.metadataLength, fields.metadataChecksum)
        let stored = try readPart(
            "directory", fields.directoryOffset, fields.directoryLength, fields.directoryChecksum)
        do throws(DaybookError) {
            let raw = try Zstd.decompress(stored.span, rawLength: fields.directoryRawLength)
            directory = try SnapshotDirectory(raw.span, to: fields.metadataOffset)
        } catch {
            throw damaged("directory", "Its content is invalid.", error)
        }
        let masks = directory.liveMasks
        let group = Int(version.catalog >> 4)
        guard
            version.catalog == 0
                || (group < masks.count && masks[group] & (1 << UInt16(version.catalog & 15)) != 0)
        else { throw damaged("directory", "It does not contain the catalog's page.") }
    }

    /// The file as a base of later snapshots.
    func base(named name: String) -> SnapshotBase {
        SnapshotBase(name: name, length: fileLength, checksum: checksum)
    }

    /// The fields of the trailer.
    private struct Fields {
        let metadataOffset: Int
        let metadataLength: Int
        let metadataChecksum: UInt64
        let directoryOffset: Int
        let directoryLength: Int
        let directoryRawLength: Int
        let directoryChecksum: UInt64

        init(_ reader: inout ByteReader) throws(DaybookError) {
            metadataOffset = Int(clamping: try reader.uint64())
            metadataLength = Int(clamping: try reader.uint64())
            metadataChecksum = try reader.uint64()
            directoryOffset = Int(clamping: try reader.uint64())
            directoryLength = Int(clamping: try reader.uint64())
            directoryRawLength = Int(clamping: try reader.uint64())
            directoryChecksum = try reader.uint64()
        }
    }

    private func readPart(
        _ name: String, _ offset: Int, _ length: Int, _ checksum: UInt64
    ) throws(DaybookError) -> [UInt8] {
        let bytes = try read(length, at: offset, name)
        guard XXH64.hash(bytes.span) == checksum else {
            throw damaged(name, "The checksum does not match.")
        }
        return bytes
    }

    private func read(
        _ length: Int, at offset: Int, _ part: String
    ) throws(DaybookError) -> [UInt8] {
        guard offset >= 0 else { throw damaged(part, "The file has \(fileLength) bytes only.") }
        let bytes = try file.read(length, at: offset)
        guard bytes.count == length else {
            throw damaged(part, "The file has \(fileLength) bytes only.")
        }
        return bytes
    }

    private func damaged(
        _ part: String, _ what: String, _ cause: (any Error)? = nil
    ) -> DaybookError {
        DaybookError(
            .corruption, "The \(part) of the snapshot is damaged. \(what)", cause: cause,
            details: ["snapshot": part])
    }
}
