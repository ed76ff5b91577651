package import DaybookBytes

extension Log {
    /// The frame that holds a record, from the cache or from its segment.
    ///
    /// Cost: one look-up under a shard's lock where it is cached; else one or two reads, a check
    /// and an inflation. Throws `.corruption` for a frame that is not what was written, or a
    /// location in a segment that is gone.
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

    /// All frames of records from the one that may hold `sequence` on; the caller skips what comes
    /// before. Cost to begin: one read of a segment's frame directory.
    package func scan(fromSequence sequence: UInt64) throws(DaybookError) -> LogScanner {
        try scan(fromSequence: sequence, in: picture())
    }

    /// The same of the log as it was at a moment.
    package func scan(
        fromSequence sequence: UInt64, in picture: LogPicture
    ) throws(DaybookError) -> LogScanner {
        try LogScanner(self, from: position(before: sequence, in: picture), in: picture)
    }

    /// How many bytes of the log stand before the frame that may hold `sequence`, to some 64 KiB,
    /// and how many from there on. Cost: one read of a segment's frame directory.
    package func bytes(
        aroundSequence sequence: UInt64, in picture: LogPicture
    ) throws(DaybookError) -> (before: Int, after: Int) {
        let total = picture.entries.reduce(0) { $0 + $1.length }
        guard let position = try position(before: sequence, in: picture) else { return (0, total) }
        let earlier = picture.entries.prefix { $0.number != position.segment }
        let before = earlier.reduce(position.offset) { $0 + $1.length }
        return (before, total - before)
    }

    /// All frames of records from a place on; nil is the beginning of the log.
    package func scan(from position: LogPosition?) throws(DaybookError) -> LogScanner {
        try LogScanner(self, from: position, in: picture())
    }

    /// All frames of records behind a commit, for a reader that must not miss any; it skips what
    /// comes before. `place` is where the reader stands, if it knows: then nothing is looked for as
    /// long as the segment is there.
    ///
    /// Throws `.historyTruncated` where a compaction has dropped some of what follows.
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

    /// The place behind a commit, if that is the last of the log; nil for any other. Who begins
    /// there reads nothing of what stands before it, and need not care whether that is whole.
    package func end(at sequence: UInt64) -> LogPosition? {
        let end = picture().end
        return end.sequence == sequence ? end : nil
    }

    /// The frames of one segment.
    package func scan(_ entry: SegmentEntry) throws(DaybookError) -> LogScanner {
        try LogScanner(self, only: entry)
    }

    /// What the active segment would be if it were sealed now.
    package func activeEntry() -> SegmentEntry { picture().active }

    /// Where to scan from to go on after `position`: there, or, where that segment was replaced
    /// since, at a waypoint before the next sequence.
    package func scanStart(_ position: LogPosition) throws(DaybookError) -> LogPosition? {
        let picture = picture()
        let isLive = picture.entries.contains { $0.number == position.segment }
        return isLive ? position : try self.position(before: position.sequence + 1, in: picture)
    }

    /// A waypoint at or before the frame that holds `sequence`.
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
        // The trailer of the frame before is the seed of this one.
        let lead = LogFormat.trailerLength
        let trailer = try segment.file.read(lead, at: mark.offset - lead)
        guard let check = trailer.span.loadLittleEndian(UInt64.self, at: 0) else {
            throw .corruption(segment: entry.number, offset: mark.offset, "it is cut short")
        }
        return LogPosition(
            segment: entry.number, offset: mark.offset, check: check,
            sequence: mark.firstSequence - 1)
    }

    /// Waypoints of the active segment for who looks for `sequence`. What an opening stepped over,
    /// as a snapshot had it already, is read once where somebody goes back so far.
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
        // Whoever reads there is told what is wrong.
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
