internal import DaybookBytes

/// Writes the parts of a snapshot in order, in pieces of one MiB.
struct SnapshotWriter {
    private static let bufferLength = 1 << 20

    private let file: any File
    private var buffer = ByteWriter(capacity: 1 << 16)
    /// The number of bytes in the file.
    private var written = 0

    init(_ file: any File) { self.file = file }

    /// The length of the file so far.
    var offset: Int { written + buffer.count }

    /// Writes the header and returns its checksum.
    mutating func writeHeader(_ version: PageVersion) throws(DaybookError) -> UInt64 {
        typealias Header = SnapshotFormat.Header
        var header = ByteWriter(capacity: Header.length)
        header.zeros(Header.length)
        header.patch(uint64: SnapshotFormat.magic, at: Header.magic)
        header.patch(uint32: SnapshotFormat.version, at: Header.version)
        header.patch(uint32: UInt32(Page.size), at: Header.pageSize)
        header.patch(uint64: version.sequence, at: Header.sequence)
        header.patch(uint32: version.catalog, at: Header.catalog)
        let checksum = XXH64.hash(header.span.extracting(0..<Header.checksum))
        header.patch(uint64: checksum, at: Header.checksum)
        try append(header.span)
        return checksum
    }

    /// Writes the bytes of a group. Returns its entry, with the position in this file.
    mutating func append(
        _ stored: [UInt8], _ entry: SnapshotDirectory.Entry
    ) throws(DaybookError) -> SnapshotDirectory.Entry {
        var entry = entry
        entry.file = 0
        entry.offset = offset
        try append(stored.span)
        return entry
    }

    /// Writes metadata, directory and trailer; returns the length of the file.
    ///
    /// - Throws: `.invalidArgument` for more metadata than a reader accepts, and errors of the
    ///   file.
    mutating func finish(
        _ directory: SnapshotDirectory, metadata: [UInt8], headerChecksum: UInt64
    ) throws(DaybookError) -> Int {
        typealias Trailer = SnapshotFormat.Trailer
        guard metadata.count <= SnapshotFormat.metadataLengthMax else {
            throw DaybookError(
                .invalidArgument,
                "A snapshot cannot take \(metadata.count) bytes of metadata; at most "
                    + "\(SnapshotFormat.metadataLengthMax) are read.")
        }
        let raw = directory.encode()
        let stored = try Zstd.compress(raw.span, level: 1)
        var trailer = ByteWriter(capacity: Trailer.length)
        trailer.zeros(Trailer.length)
        trailer.patch(uint64: UInt64(offset), at: Trailer.metadataOffset)
        trailer.patch(uint64: UInt64(metadata.count), at: Trailer.metadataLength)
        trailer.patch(uint64: XXH64.hash(metadata.span), at: Trailer.metadataChecksum)
        try append(metadata.span)
        trailer.patch(uint64: UInt64(offset), at: Trailer.directoryOffset)
        trailer.patch(uint64: UInt64(stored.count), at: Trailer.directoryStoredLength)
        trailer.patch(uint64: UInt64(raw.count), at: Trailer.directoryRawLength)
        trailer.patch(uint64: XXH64.hash(stored.span), at: Trailer.directoryChecksum)
        try append(stored.span)
        trailer.patch(uint64: headerChecksum, at: Trailer.headerChecksum)
        let checksum = XXH64.hash(trailer.span.extracting(0..<Trailer.checksum))
        trailer.patch(uint64: checksum, at: Trailer.checksum)
        trailer.patch(uint64: SnapshotFormat.magic, at: Trailer.magic)
        try append(trailer.span)
        try flush()
        if try file.size() != written { try file.resize(to: written) }
        return written
    }

    private mutating func append(_ bytes: Span<UInt8>) throws(DaybookError) {
        buffer.append(bytes)
        if buffer.count >= Self.bufferLength { try flush() }
    }

    private mutating func flush() throws(DaybookError) {
        try file.write(buffer.span, at: written)
        written += buffer.count
        buffer.removeAll()
    }
}
