package import DaybookBytes

/// Writes one sealed segment for a compaction. It takes effect when
/// ``Log/replace(_:with:historyFloor:)`` names it in a manifest.
package struct SegmentBuilder {
    private let segment: Segment
    private var encoding: SegmentEncoding
    private var tail: Tail
    private var encoder: FrameEncoder
    private let chunkBytes: Int
    /// The first payloads, which wait for the choice of the encoding.
    private var waiting: [(payload: FramePayload, timeMicroseconds: UInt64)] = []
    private var waitingBytes = 0
    private let sampleBytes: Int
    /// Whether the encoding is chosen.
    private var isTrained = false

    /// Begins a segment whose first transaction is `firstSequence`.
    ///
    /// - Parameter sampleBytes: the length of the payloads from which the encoding is chosen and
    ///   the dictionary is trained; 0 for compression without a dictionary. They wait in memory.
    package init(
        _ log: Log, number: UInt64, firstSequence: UInt64, level: Int, sampleBytes: Int
    ) throws(DaybookError) {
        var named = log.manifest
        named.activeNumber = number
        named.activeFirstSequence = firstSequence
        try SegmentFile.create(named, in: log.directory, log.fileSystem).close()
        segment = try Segment.open(
            named.activeHeader, in: log.directory, log.fileSystem, .readWrite)
        encoding = SegmentEncoding(log.codec, level: level)
        tail = Tail(startOf: segment)
        encoder = FrameEncoder(seed: segment.seed, check: tail.check)
        chunkBytes = log.options.writeChunkBytesMax
        self.sampleBytes = min(sampleBytes, log.options.segmentSizeBytes)
        isTrained = self.sampleBytes == 0
    }

    /// The length of the segment so far, in bytes. Payloads that wait are estimated: they are
    /// compressed at least to a half, as a rule.
    package var lengthBytes: Int { writtenBytes + waitingBytes / 2 }

    private var writtenBytes: Int { tail.offset + tail.buffer.count }

    /// Adds a payload as one frame.
    ///
    /// Returns the locations of the frames that were written, in the order of their payloads: none
    /// while the payloads wait for a dictionary, then those of all that waited.
    package mutating func append(
        _ payload: FramePayload, timeMicroseconds: UInt64
    ) throws(DaybookError) -> [Location] {
        guard !isTrained else { return [try write(payload, timeMicroseconds)] }
        waiting.append((payload, timeMicroseconds))
        waitingBytes += payload.bytes.count
        return waitingBytes < sampleBytes ? [] : try writeWaiting(isPrefix: true)
    }

    /// Chooses the encoding, writes its dictionary, and writes the payloads that wait.
    private mutating func writeWaiting(isPrefix: Bool) throws(DaybookError) -> [Location] {
        let payloads = waiting
        waiting = []
        waitingBytes = 0
        if !isTrained {
            isTrained = true
            let trial = EncodingTrial(
                codec: encoding.codec, level: encoding.level, payloads: payloads.map(\.payload),
                isPrefix: isPrefix)
            encoding = try trial.encoding()
            writeDictionary(sequence: segment.firstSequence)
        }
        var locations: [Location] = []
        for (payload, time) in payloads { locations.append(try write(payload, time)) }
        return locations
    }

    /// Writes the dictionary, if the encoding has one.
    private mutating func writeDictionary(sequence: UInt64) {
        guard let stored = encoding.stored else { return }
        let header = FrameHeader(
            kind: FrameKind.dictionary, codec: stored.codec,
            storedLength: stored.bytes.count, rawLength: stored.dictionary.bytes.count,
            recordCount: 0, firstSequence: sequence, lastSequence: sequence, durableSequence: 0,
            timeMicroseconds: 0, endsTransaction: true)
        encoder.append(stored.bytes.span, header, to: &tail.buffer)
    }

    /// Encodes a payload and appends it as one frame.
    private mutating func write(
        _ payload: FramePayload, _ timeMicroseconds: UInt64
    ) throws(DaybookError) -> Location {
        let deflated = try encoding.encode(payload)
        let header = FrameHeader(
            kind: FrameKind.records, codec: deflated.codec,
            dictionary: deflated.usesDictionary ? LogFormat.Dictionary.id : 0,
            storedLength: deflated.stored.count, rawLength: payload.bytes.count,
            recordCount: payload.recordCount, firstSequence: payload.firstSequence,
            lastSequence: payload.lastSequence, durableSequence: payload.lastSequence,
            timeMicroseconds: timeMicroseconds, endsTransaction: payload.endsTransaction,
            keys: payload.keys)
        let offset = writtenBytes
        encoder.append(deflated.stored.span, header, to: &tail.buffer)
        tail.sparseIndex.note(
            offset: offset, firstSequence: payload.firstSequence, keys: payload.keys)
        tail.lastSequence = payload.lastSequence
        tail.rawBytes += payload.bytes.count
        tail.recordCount += Int(payload.recordCount)
        if tail.buffer.count >= chunkBytes { try flush() }
        return Location(segment: segment.number, frameOffset: offset, recordOffset: 0)
    }

    /// A finished segment, and the locations of the frames that `append` did not return.
    package struct Finished {
        package var locations: [Location]
        package var entry: SegmentEntry
        package var segment: Segment
    }

    /// Writes the seal frame and syncs the segment; then reads every byte back and compares the
    /// hash.
    package mutating func finish() throws(DaybookError) -> Finished {
        let locations = try writeWaiting(isPrefix: false)
        // A repair uses the copy if the dictionary is damaged.
        writeDictionary(sequence: tail.lastSequence)
        let sealOffset = writtenBytes
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
        return Finished(locations: locations, entry: entry, segment: segment)
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
            let bytes = try read(min(1 << 20, entry.length - offset), at: offset)
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
