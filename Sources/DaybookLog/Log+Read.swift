package import DaybookBytes

extension Log {
    /// Returns the frame of a record, from the cache or from its segment.
    ///
    /// Cost: one lookup under a shard's lock if it is cached; otherwise one or two reads, a check
    /// and a decompression. Throws `.corruption` for a damaged frame, or for a location in a
    /// missing segment.
    package func frame(at location: Location) throws(DaybookError) -> InflatedFrame {
        if let frame = cache.find(location.frameKey) { return frame }
        return try load(location)
    }

    private func load(_ location: Location) throws(DaybookError) -> InflatedFrame {
        guard let segment = segment(location.segment) else {
            throw .corruption(
                segment: location.segment, offset: location.frameOffset,
                "an index points to it and no manifest names it")
        }
        let (header, payload) = try segment.frame(at: location.frameOffset, codec)
        guard header.kind == FrameKind.records, header.rawLength == payload.count else {
            throw .corruption(
                segment: location.segment, offset: location.frameOffset,
                "a frame is not of the kind or length that its header says")
        }
        let frame = InflatedFrame(bytes: payload)
        cache.insert(frame, at: location.frameKey)
        return frame
    }

    /// Scans all frames of records, starting at or before the frame with `sequence`; the caller
    /// skips earlier records. Initial cost: one read of a segment's sparse index.
    package func scan(fromSequence sequence: UInt64) throws(DaybookError) -> LogScanner {
        try scan(fromSequence: sequence, in: picture())
    }

    /// Scans the frames of a captured log in the same way.
    package func scan(
        fromSequence sequence: UInt64, in picture: LogPicture
    ) throws(DaybookError) -> LogScanner {
        try LogScanner(self, from: position(before: sequence, in: picture), in: picture)
    }

    /// The number of bytes in the log before and after the frame with `sequence`, within about 64
    /// KiB. Cost: one read of a segment's sparse index.
    package func bytes(
        aroundSequence sequence: UInt64, in picture: LogPicture
    ) throws(DaybookError) -> (before: Int, after: Int) {
        let total = picture.entries.reduce(0) { $0 + $1.length }
        guard let position = try position(before: sequence, in: picture) else { return (0, total) }
        let earlier = picture.entries.prefix { $0.number != position.segment }
        let before = earlier.reduce(position.offset) { $0 + $1.length }
        return (before, total - before)
    }

    /// Scans all frames of records from a position; nil is the beginning of the log.
    package func scan(from position: LogPosition?) throws(DaybookError) -> LogScanner {
        try LogScanner(self, from: position, in: picture())
    }

    /// Scans all frames of records after a commit, for a reader that must not miss any; the reader
    /// skips earlier records. `place` is the reader's position, if known: no lookup is needed while
    /// its segment exists.
    ///
    /// Throws `.historyTruncated` if a compaction dropped some of these records.
    package func scan(
        after sequence: UInt64, at place: LogPosition?
    ) throws(DaybookError) -> LogScanner {
        let picture = picture()
        let gapsEnd = picture.manifest.gapsEnd
        guard sequence >= gapsEnd else {
            throw DaybookError(
                .historyTruncated,
                "The changes behind sequence \(sequence) have gaps: a compaction dropped what was"
                    + " superseded before sequence \(picture.manifest.historyFloor). Begin again"
                    + " with the store's whole state.",
                details: [
                    "sequence": String(sequence),
                    "historyFloor": String(picture.manifest.historyFloor),
                ])
        }
        if let place, picture.entries.contains(where: { $0.number == place.segment }) {
            return try LogScanner(self, from: place, in: picture)
        }
        return try LogScanner(self, from: position(before: sequence + 1, in: picture), in: picture)
    }

    /// The position after a commit, if it is the last commit of the log. A scan from there reads no
    /// earlier frames, so damage in them does not matter.
    package func end(at sequence: UInt64) -> LogPosition? {
        let end = picture().end
        return end.sequence == sequence ? end : nil
    }

    /// Scans the frames of one segment.
    package func scan(_ entry: SegmentEntry) throws(DaybookError) -> LogScanner {
        try LogScanner(self, only: entry)
    }

    /// The entry of the active segment, as if it were sealed now.
    package func activeEntry() -> SegmentEntry { picture().active }

    /// Where a scan must start to continue after `position`: at `position`, or at a sparse index
    /// entry before the next sequence if that segment was replaced.
    package func scanStart(_ position: LogPosition) throws(DaybookError) -> LogPosition? {
        let picture = picture()
        let isLive = picture.entries.contains { $0.number == position.segment }
        return isLive ? position : try self.position(before: position.sequence + 1, in: picture)
    }

    /// The position of a sparse index entry at or before the frame with `sequence`.
    private func position(
        before sequence: UInt64, in picture: LogPicture
    ) throws(DaybookError) -> LogPosition? {
        let entry = picture.manifest.sealed.first { $0.lastSequence >= sequence } ?? picture.active
        let segment = try picture.segment(entry.number)
        let isActive = entry.number == picture.active.number
        let marks =
            isActive
            ? try self.marks(before: sequence, in: picture) : try self.marks(of: entry, segment)
        guard let mark = marks.last(before: sequence), mark.offset > segment.start.offset else {
            let knows = isActive && sequence > picture.marksBegin.sequence
            return knows ? picture.marksBegin : segment.start
        }
        // The trailer of the previous frame is the seed of this one.
        let lead = LogFormat.trailerLength
        let trailer = try segment.file.read(lead, at: mark.offset - lead)
        guard let check = trailer.span.loadLittleEndian(UInt64.self, at: 0) else {
            throw .corruption(segment: entry.number, offset: mark.offset, "it is cut short")
        }
        return LogPosition(
            segment: entry.number, offset: mark.offset, check: check,
            sequence: mark.firstSequence - 1)
    }

    /// The sparse index of the active segment for a lookup of `sequence`. Frames that an opening
    /// skipped, because a snapshot covered them, are read once when they are needed.
    private func marks(
        before sequence: UInt64, in picture: LogPicture
    ) throws(DaybookError) -> [FrameMark] {
        let begin = picture.marksBegin
        let segment = try picture.segment(begin.segment)
        guard sequence <= begin.sequence, begin.offset > segment.start.offset else {
            return picture.marks
        }
        var marks: [FrameMark] = []
        var scanner = SegmentScanner(segment, from: segment.start, limit: begin.offset)
        while let frame = try scanner.next() { marks.note(frame) }
        // The frame is damaged. Reading it reports the error.
        guard scanner.offset == begin.offset else { return [] }
        tail.withLock { tail in
            guard tail.marksBegin == begin else { return }
            tail.marks = marks + tail.marks
            tail.marksBegin = segment.start
        }
        return marks
    }

    private func marks(
        of entry: SegmentEntry, _ segment: Segment
    ) throws(DaybookError) -> [FrameMark] {
        guard entry.sealOffset > 0 else { return [] }
        let (header, payload) = try segment.frame(at: entry.sealOffset, codec)
        guard header.kind == FrameKind.seal else {
            throw .corruption(
                segment: entry.number, offset: entry.sealOffset, "its seal frame is missing")
        }
        return try [FrameMark](reading: payload.span)
    }
}
