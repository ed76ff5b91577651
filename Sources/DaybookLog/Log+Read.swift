package import DaybookBytes

extension Log {
    /// The number of records from which decoding the whole of a packed frame costs less than
    /// decoding each record.
    private static let wholeFrameRecordCount = 16

    /// Returns the frame of a record, from the cache or from its segment.
    ///
    /// Cost: one lookup under a shard's lock if it is cached; otherwise one or two reads, a check
    /// and a decompression. A packed frame is decoded. Throws `.corruption` for a damaged frame, or
    /// for a location in a missing segment.
    package func frame(at location: Location) throws(DaybookError) -> InflatedFrame {
        try frame(at: location, recordCount: .max).payload
    }

    /// Returns the frame of a record for reads of some of its records.
    ///
    /// Cost: as ``frame(at:)``, but a packed frame is decoded only if the caller reads many records
    /// of it, or if it is used again and the cache has room for it. Throws the same errors.
    package func frame(
        at location: Location, recordCount: Int
    ) throws(DaybookError) -> CachedFrame {
        let key = location.frameKey
        let cached = cache.find(key)
        return try frame(
            at: location, recordCount: recordCount, cached,
            isAdmitted: cached != nil || cache.admits(key))
    }

    /// - Parameters:
    ///   - cached: the frame in the cache; nil if it must be read.
    ///   - isAdmitted: whether the cache should contain the frame.
    private func frame(
        at location: Location, recordCount: Int, _ cached: CachedFrame?, isAdmitted: Bool
    ) throws(DaybookError) -> CachedFrame {
        let key = location.frameKey
        let frame: CachedFrame
        if let cached { frame = cached } else { frame = try load(location) }
        let isNew = isAdmitted && cached == nil
        guard case .packed(let records) = frame else {
            if isNew { cache.insert(frame, at: key) }
            return frame
        }
        let readsMany = recordCount >= Self.wholeFrameRecordCount
        let keepsDecoded =
            isAdmitted && (cached != nil || readsMany)
            && cache.hasRoom(for: records.rawLength, at: key)
        guard readsMany || keepsDecoded else {
            if isNew { cache.insert(frame, at: key) }
            return frame
        }
        let decoded = CachedFrame.inflated(try frame.payload)
        if keepsDecoded || isNew { cache.insert(keepsDecoded ? decoded : frame, at: key) }
        return decoded
    }

    /// Returns bytes that contain a record, and the offset of the record in them: the payload of
    /// its frame, or the record alone.
    ///
    /// Cost and errors: those of ``frame(at:recordCount:)`` for one record. If the cache does not
    /// admit a packed frame, the record is decoded from the bytes that were read.
    package func record(
        at location: Location
    ) throws(DaybookError) -> (payload: [UInt8], offset: Int) {
        let key = location.frameKey
        switch cache.find(key) {
        case .inflated(let frame)?: return (frame.bytes, location.recordOffset)
        case let cached: return try record(at: location, key, cached)
        }
    }

    private func record(
        at location: Location, _ key: UInt64, _ cached: CachedFrame?
    ) throws(DaybookError) -> (payload: [UInt8], offset: Int) {
        guard cached != nil || cache.admits(key) else {
            return try segment(of: location).record(
                at: location.recordOffset, inFrameAt: location.frameOffset, codec)
        }
        return try frame(at: location, recordCount: 1, cached, isAdmitted: true)
            .record(at: location.recordOffset)
    }

    private func segment(of location: Location) throws(DaybookError) -> Segment {
        guard let segment = segments.withLock({ $0.segment(inSlot: location.slot) }) else {
            throw .corruption(
                segment: UInt64(location.slot), offset: location.frameOffset,
                "an index points to it, but no manifest names it")
        }
        return segment
    }

    private func load(_ location: Location) throws(DaybookError) -> CachedFrame {
        let segment = try segment(of: location)
        let (header, frame) = try segment.cachedFrame(at: location.frameOffset, codec)
        guard header.kind == FrameKind.records, header.rawLength == frame.rawLength else {
            throw segment.unlikeItsHeader(location.frameOffset)
        }
        return frame
    }

    /// Scans all frames of records, starting at or before the frame with `sequence`; the caller
    /// skips earlier records. Initial cost: one read of a segment's sparse index.
    package func scan(fromSequence sequence: UInt64) throws(DaybookError) -> LogScanner {
        try scan(fromSequence: sequence, in: view())
    }

    /// Scans the frames of a captured log in the same way.
    package func scan(
        fromSequence sequence: UInt64, in logView: LogView
    ) throws(DaybookError) -> LogScanner {
        try LogScanner(self, from: position(before: sequence, in: logView), in: logView)
    }

    /// The number of bytes in the log before and after the frame with `sequence`, within about 64
    /// KiB. Cost: one read of a segment's sparse index.
    package func bytes(
        aroundSequence sequence: UInt64, in logView: LogView
    ) throws(DaybookError) -> (before: Int, after: Int) {
        let total = logView.entries.reduce(0) { $0 + $1.length }
        guard let position = try position(before: sequence, in: logView) else { return (0, total) }
        let earlier = logView.entries.prefix { $0.number != position.segment }
        let before = earlier.reduce(position.offset) { $0 + $1.length }
        return (before, total - before)
    }

    /// Scans all frames of records from a position; nil is the beginning of the log.
    package func scan(from position: LogPosition?) throws(DaybookError) -> LogScanner {
        try LogScanner(self, from: position, in: view())
    }

    /// Scans all frames of records after a commit, for a reader that must not miss any; the reader
    /// skips earlier records. `place` is the reader's position, if known: no lookup is needed while
    /// its segment exists.
    ///
    /// Throws `.historyTruncated` if a compaction dropped some of these records.
    package func scan(
        after sequence: UInt64, at place: LogPosition?
    ) throws(DaybookError) -> LogScanner {
        let logView = view()
        let gapsEnd = logView.manifest.gapsEnd
        guard sequence >= gapsEnd else {
            throw DaybookError(
                .historyTruncated,
                "The changes after sequence \(sequence) have gaps: a compaction dropped versions"
                    + " that were superseded before sequence"
                    + " \(logView.manifest.historyFloor). Start again with the whole state of the"
                    + " store.",
                details: [
                    "sequence": String(sequence),
                    "historyFloor": String(logView.manifest.historyFloor),
                ])
        }
        if let place, logView.entries.contains(where: { $0.number == place.segment }) {
            return try LogScanner(self, from: place, in: logView)
        }
        return try LogScanner(self, from: position(before: sequence + 1, in: logView), in: logView)
    }

    /// The position after a commit, if it is the last commit of the log. A scan from there reads no
    /// earlier frames, so damage in them does not matter.
    package func end(at sequence: UInt64) -> LogPosition? {
        let end = view().end
        return end.sequence == sequence ? end : nil
    }

    /// Scans the frames of one segment.
    package func scan(_ entry: SegmentEntry) throws(DaybookError) -> LogScanner {
        try LogScanner(self, only: entry)
    }

    /// The entry of the active segment, as if it were sealed now.
    package func activeEntry() -> SegmentEntry { view().active }

    /// Where a scan must start to continue after `position`: at `position`, or at a sparse index
    /// entry before the next sequence if that segment was replaced.
    package func scanStart(_ position: LogPosition) throws(DaybookError) -> LogPosition? {
        let logView = view()
        let isLive = logView.entries.contains { $0.number == position.segment }
        return isLive ? position : try self.position(before: position.sequence + 1, in: logView)
    }

    /// The position of a sparse index entry at or before the frame with `sequence`.
    private func position(
        before sequence: UInt64, in logView: LogView
    ) throws(DaybookError) -> LogPosition? {
        let (entry, sparseIndex) = try sparseIndex(around: sequence, in: logView)
        let segment = try logView.segment(entry.number)
        let isActive = entry.number == logView.active.number
        guard let indexEntry = sparseIndex.last(before: sequence),
            indexEntry.offset > segment.start.offset
        else {
            let knows = isActive && sequence > logView.sparseIndexStart.sequence
            return knows ? logView.sparseIndexStart : segment.start
        }
        return try position(of: indexEntry, in: segment)
    }

    /// The position of a frame with an entry in the sparse index. Cost: a read of eight bytes.
    func position(
        of indexEntry: SparseIndexEntry, in segment: Segment
    ) throws(DaybookError) -> LogPosition {
        guard indexEntry.offset > segment.start.offset else { return segment.start }
        // The trailer of the previous frame is the seed of this one.
        let lead = LogFormat.trailerLength
        let trailer = try segment.file.read(lead, at: indexEntry.offset - lead)
        guard let check = trailer.span.loadLittleEndian(UInt64.self, at: 0) else {
            throw .corruption(segment: segment.number, offset: indexEntry.offset, "it is truncated")
        }
        return LogPosition(
            segment: segment.number, offset: indexEntry.offset, check: check,
            sequence: indexEntry.firstSequence - 1)
    }

    /// The segment that contains a transaction, if any does, and its sparse index.
    func sparseIndex(
        around sequence: UInt64, in logView: LogView
    ) throws(DaybookError) -> (SegmentEntry, [SparseIndexEntry]) {
        let sealed = logView.manifest.sealed
        let place = sealed.partitioningIndex { $0.lastSequence >= sequence }
        guard place < sealed.count else {
            return (logView.active, try sparseIndex(before: sequence, in: logView))
        }
        let entry = sealed[place]
        return (entry, try sparseIndex(of: entry, try logView.segment(entry.number)))
    }

    /// The sparse index of the active segment for a lookup of `sequence`. Frames that an opening
    /// skipped, because a snapshot covered them, are read once when they are needed.
    private func sparseIndex(
        before sequence: UInt64, in logView: LogView
    ) throws(DaybookError) -> [SparseIndexEntry] {
        let begin = logView.sparseIndexStart
        let segment = try logView.segment(begin.segment)
        guard sequence <= begin.sequence, begin.offset > segment.start.offset else {
            return logView.sparseIndex
        }
        var sparseIndex: [SparseIndexEntry] = []
        var scanner = SegmentScanner(segment, from: segment.start, limit: begin.offset)
        while let frame = try scanner.next() { sparseIndex.note(frame) }
        // The frame is damaged. Reading it reports the error.
        guard scanner.offset == begin.offset else { return [] }
        tail.withLock { tail in
            guard tail.sparseIndexStart == begin else { return }
            tail.sparseIndex = sparseIndex + tail.sparseIndex
            tail.sparseIndexStart = segment.start
        }
        return sparseIndex
    }

    /// The sparse index of a sealed segment, whose number is never given to another one.
    func sparseIndex(
        of entry: SegmentEntry, _ segment: Segment
    ) throws(DaybookError) -> [SparseIndexEntry] {
        let known = directories.withLock { $0.last { $0.number == entry.number } }
        if let known { return known.sparseIndex }
        let (header, payload) = try segment.frame(at: entry.sealOffset, codec)
        guard header.kind == FrameKind.seal else {
            throw .corruption(
                segment: entry.number, offset: entry.sealOffset, "its seal frame is missing")
        }
        let sparseIndex = try [SparseIndexEntry](reading: payload.span)
        directories.withLock { directories in
            directories.append((entry.number, sparseIndex))
            if directories.count > Self.directoryCountMax { directories.removeFirst() }
        }
        return sparseIndex
    }
}
