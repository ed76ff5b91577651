package import DaybookBytes

/// Writes one sealed segment for a compaction. It takes effect when
/// ``Log/replace(_:with:historyFloor:)`` names it in a manifest.
package struct SegmentBuilder {
    private let segment: Segment
    private let codec: PayloadCodec
    private let level: Int
    private var tail: Tail
    private var encoder: FrameEncoder
    private let chunkBytes: Int

    /// Begins a segment whose first transaction is `firstSequence`.
    package init(
        _ log: Log, number: UInt32, firstSequence: UInt64, level: Int
    ) throws(DaybookError) {
        try Log.checkNumber(number)
        var named = log.manifest
        named.activeNumber = number
        named.activeFirstSequence = firstSequence
        try SegmentFile.create(named, in: log.directory, log.fileSystem).close()
        segment = try Segment.open(
            named.activeFileName, number: number, store: log.store, in: log.directory,
            log.fileSystem, .readWrite)
        codec = log.codec
        self.level = level
        tail = try Tail(startOf: segment)
        encoder = FrameEncoder(seed: segment.seed, check: tail.check)
        chunkBytes = log.options.writeChunkBytesMax
    }

    /// The length of the segment so far, in bytes.
    package var lengthBytes: Int { tail.offset + tail.buffer.count }

    /// Compresses a payload, appends it as one frame and returns the frame's location.
    package mutating func append(
        _ payload: FramePayload, timeMicroseconds: UInt64
    ) throws(DaybookError) -> Location {
        let deflated = try codec.deflate(payload.bytes.span, level: level)
        let header = FrameHeader(
            kind: FrameKind.records, codec: deflated.codec,
            storedLength: deflated.stored.count, rawLength: payload.bytes.count,
            recordCount: payload.recordCount, firstSequence: payload.firstSequence,
            lastSequence: payload.lastSequence, durableSequence: payload.lastSequence,
            timeMicroseconds: timeMicroseconds, endsTransaction: payload.endsTransaction)
        let offset = lengthBytes
        encoder.append(deflated.stored.span, header, to: &tail.buffer)
        tail.sparseIndex.note(offset: offset, firstSequence: payload.firstSequence)
        tail.lastSequence = payload.lastSequence
        tail.rawBytes += payload.bytes.count
        tail.recordCount += Int(payload.recordCount)
        if tail.buffer.count >= chunkBytes { try flush() }
        return Location(segment: segment.number, frameOffset: offset, recordOffset: 0)
    }

    /// Writes the seal frame and syncs the segment; then reads every byte back and compares the
    /// hash.
    package mutating func finish() throws(DaybookError) -> (entry: SegmentEntry, segment: Segment) {
        let sealOffset = lengthBytes
        let sparseIndex = tail.sparseIndex.encoded()
        let header = FrameHeader(
            kind: FrameKind.seal, codec: .raw, storedLength: sparseIndex.count,
            rawLength: sparseIndex.count,
            recordCount: 0, firstSequence: tail.lastSequence, lastSequence: tail.lastSequence,
            durableSequence: tail.lastSequence, timeMicroseconds: 0, endsTransaction: true)
        encoder.append(sparseIndex.span, header, to: &tail.buffer)
        try flush()
        try segment.file.sync()
        let entry = SegmentEntry(
            number: segment.number, firstSequence: segment.firstSequence,
            lastSequence: tail.lastSequence, length: tail.offset,
            hash: tail.hash?.digest() ?? 0, sealOffset: sealOffset, rawBytes: tail.rawBytes,
            recordCount: tail.recordCount, isBlocked: true)
        try segment.requireContent(of: entry)
        return (entry, segment)
    }

    private mutating func flush() throws(DaybookError) {
        try segment.file.write(tail.buffer.span, at: tail.offset)
        tail.acceptBuffer()
    }
}

extension Segment {
    /// Reads the whole segment and compares it with its length and hash.
    func requireContent(of entry: SegmentEntry) throws(DaybookError) {
        var hash = XXH64()
        var offset = 0
        while offset < entry.length {
            let bytes = try file.read(min(1 << 20, entry.length - offset), at: offset)
            guard !bytes.isEmpty else {
                throw .corruption(
                    segment: number, offset: offset, "it is shorter than its sealed length")
            }
            hash.update(bytes.span)
            offset += bytes.count
        }
        guard hash.digest() == entry.hash else {
            throw .corruption(
                segment: number, offset: 0, "its content differs from the hash in the manifest")
        }
    }
}
