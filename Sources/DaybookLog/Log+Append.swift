package import DaybookBytes

/// The records of one frame, before they are written.
package struct FramePayload: Sendable {
    package var bytes: ByteWriter
    package var recordCount: UInt32
    package var firstSequence: UInt64
    package var lastSequence: UInt64
    /// Whether a transaction ends with the last record.
    package var endsTransaction: Bool
    /// The keys of the records.
    package var keys: KeyRange
    /// Whether later versions superseded all objects in the records. Such payloads are rarely read,
    /// so a sealed segment compresses them.
    package var isSuperseded: Bool

    package init(
        bytes: ByteWriter, recordCount: UInt32, firstSequence: UInt64, lastSequence: UInt64,
        endsTransaction: Bool, keys: KeyRange = .none, isSuperseded: Bool = false
    ) {
        self.bytes = bytes
        self.recordCount = recordCount
        self.firstSequence = firstSequence
        self.lastSequence = lastSequence
        self.endsTransaction = endsTransaction
        self.keys = keys
        self.isSuperseded = isSuperseded
    }
}

/// The position of the frames of one append.
package struct AppendedFrames: Sendable {
    package var segment: UInt64
    package var offsets: [Int]
    /// The end of the log after the append.
    package var end: LogPosition

    /// Whether the append started a new segment and sealed the previous one.
    package var isFirstOfSegment: Bool {
        segment > 1 && offsets.first == LogFormat.SegmentHeader.length
    }

    /// The location of a record in payload number `frame`.
    package func location(frame: Int, recordOffset: Int) -> Location {
        Location(segment: segment, frameOffset: offsets[frame], recordOffset: recordOffset)
    }
}

extension Log {
    /// Writes whole transactions, uncompressed, so that a commit never waits for the compressor.
    /// All frames are in one segment, and either all or none are kept.
    ///
    /// The frames are durable once `durability` covers them. Throws `.outOfSpace` or `.inputOutput`
    /// without effect, and `.durabilityUnknown` after a failed sync.
    package func append(
        _ payloads: [FramePayload], timeMicroseconds: UInt64
    ) throws(DaybookError) -> AppendedFrames {
        guard let durability else { throw Self.readOnly }
        if let failure = durability.failure { throw failure }
        return try tail.withLock { tail throws(DaybookError) in
            let length = payloads.reduce(0) {
                $0 + LogFormat.frameLength(storedLength: $1.bytes.count)
            }
            try checkSize(length)
            try beginSession(at: tail.lastSequence + 1)
            if tail.sealed != nil
                || tail.offset + length > options.segmentSizeBytes
                    && tail.offset > LogFormat.SegmentHeader.length
            {
                try roll(&tail)
            }
            do throws(DaybookError) {
                return try write(payloads, length, timeMicroseconds, durability, &tail)
            } catch {
                forgetUnfinishedWrite(&tail, durability)
                throw error
            }
        }
    }

    private func write(
        _ payloads: [FramePayload], _ length: Int, _ time: UInt64, _ durability: GroupCommit,
        _ tail: inout Tail
    ) throws(DaybookError) -> AppendedFrames {
        try preallocate(for: length, &tail)
        var encoder = FrameEncoder(seed: tail.segment.seed, check: tail.check)
        var written = tail.offset
        var hash = tail.hash
        var offsets: [Int] = []
        offsets.reserveCapacity(payloads.count)
        let durable = durability.durableSequence
        tail.buffer.removeAll()
        for payload in payloads {
            offsets.append(written + tail.buffer.count)
            let header = FrameHeader(
                kind: FrameKind.records, codec: .raw, storedLength: payload.bytes.count,
                rawLength: payload.bytes.count, recordCount: payload.recordCount,
                firstSequence: payload.firstSequence, lastSequence: payload.lastSequence,
                durableSequence: durable, timeMicroseconds: time,
                endsTransaction: payload.endsTransaction, keys: payload.keys)
            encoder.append(payload.bytes.span, header, to: &tail.buffer)
            if tail.buffer.count >= options.writeChunkBytesMax {
                try flush(&tail.buffer, at: &written, &hash, tail.segment)
            }
        }
        try flush(&tail.buffer, at: &written, &hash, tail.segment)
        accept(payloads, offsets, &tail)
        tail.offset = written
        tail.check = encoder.check
        tail.hash = hash
        durability.appended(tail.lastSequence)
        return AppendedFrames(
            segment: tail.segment.number, offsets: offsets, end: tail.position)
    }

    private func flush(
        _ buffer: inout ByteWriter, at offset: inout Int, _ hash: inout XXH64?, _ segment: Segment
    ) throws(DaybookError) {
        guard buffer.count > 0 else { return }
        try segment.file.write(buffer.span, at: offset)
        hash?.update(buffer.span)
        offset += buffer.count
        buffer.removeAll()
    }

    /// Longer batches are not cached: a bulk put needs memory for its transaction only, and evicts
    /// no frames that are read often.
    static let cachedBatchLengthMax = 256 << 10

    /// Records written frames. Caches those of a short batch, because they are likely to be read
    /// next.
    private func accept(_ payloads: [FramePayload], _ offsets: [Int], _ tail: inout Tail) {
        let isCached =
            payloads.reduce(0) { $0 + $1.bytes.count } <= Self.cachedBatchLengthMax
        for (payload, offset) in zip(payloads, offsets) {
            tail.sparseIndex.note(
                offset: offset, firstSequence: payload.firstSequence, keys: payload.keys)
            tail.rawBytes += payload.bytes.count
            tail.recordCount += Int(payload.recordCount)
            tail.lastSequence = payload.lastSequence
            guard isCached else { continue }
            let place = Location(
                segment: tail.segment.number, frameOffset: offset, recordOffset: 0)
            cache.insert(
                InflatedFrame(bytes: payload.bytes.bytes), at: place.frameKey)
        }
    }

    /// Preallocates space, so that the next syncs do not have to write the file size.
    private func preallocate(for length: Int, _ tail: inout Tail) throws(DaybookError) {
        let end = tail.offset + length
        guard end > tail.allocated else { return }
        let step = max(options.preallocationStepBytes, LogFormat.alignment)
        let ahead = (end / step + 1) * step
        do throws(DaybookError) {
            try tail.segment.file.preallocate(to: ahead)
            tail.allocated = ahead
        } catch  where error.code == .outOfSpace && ahead > end {
            try tail.segment.file.preallocate(to: end)
            tail.allocated = end
        }
    }

    /// After a failed write, the file is truncated to the end of the log, so that no part of the
    /// write is found later. If that fails, the log accepts no more writes.
    func forgetUnfinishedWrite(_ tail: inout Tail, _ durability: GroupCommit) {
        do throws(DaybookError) {
            try tail.segment.file.resize(to: tail.offset)
            tail.allocated = tail.offset
        } catch {
            durability.poison(
                DaybookError(
                    .durabilityUnknown,
                    "A write failed and could not be undone. Close the store and open it again:"
                        + " recovery will truncate it.",
                    cause: error))
        }
    }

    private func checkSize(_ length: Int) throws(DaybookError) {
        let lengthMax = options.transactionBytesMax
        guard length <= lengthMax else {
            throw DaybookError(
                .invalidValue,
                "A transaction of \(length) bytes is too large: the maximum is \(lengthMax) bytes."
                    + " Split it.",
                details: ["bytes": String(length)])
        }
    }

    static var readOnly: DaybookError {
        DaybookError(.readOnly, "The store was opened read-only. Open it for writing to change it.")
    }
}
