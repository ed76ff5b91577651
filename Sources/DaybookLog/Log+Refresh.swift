package import DaybookBytes

/// The state of a read-only log that follows a writer.
struct Following {
    /// Whether a newer manifest was adopted that does not continue the applied state, and no call
    /// has reported it yet.
    var isReplaced = false
    /// The error of a failed sync, after which no sync is trusted.
    var failure: DaybookError?
}

extension Log {
    /// The result of a refresh.
    package enum Growth: Sendable {
        case none
        /// There are new frames after the applied ones.
        case appended
        /// The log no longer continues the applied state: replay the whole log, then call
        /// ``leaveUnnamedSegments()``. A compaction dropped records that this reader had not seen,
        /// or replaced segments before this reader could keep their files open, or too many open
        /// segments exist nowhere else.
        case replaced
    }

    /// Reads the writer's new frames in a read-only log. `applied` is the last sequence that the
    /// caller has applied.
    ///
    /// This call syncs new frames before it reports them, so that a reader in another process never
    /// shows data that a power failure could undo. Segments that the writer's compaction replaced
    /// stay open and readable, up to ``LogOptions/openFileCountMax``. Throws
    /// `.durabilityUnknown` if that sync fails, and in all later calls: the log must then be
    /// reopened.
    package func refresh(applied: UInt64) throws(DaybookError) -> Growth {
        // An opened backup never changes; a newer backup has its own files.
        guard isReadOnly, !manifest.isBackup else { return .none }
        return try following.withLock { following throws(DaybookError) in
            if let failure = following.failure { throw failure }
            let last = try tail.withLock { tail throws(DaybookError) in
                try follow(&tail, &following, applied)
                return tail.lastSequence
            }
            if following.isReplaced {
                following.isReplaced = false
                return .replaced
            }
            return last > applied ? .appended : .none
        }
    }

    /// After a replay of the whole log: marks the segments that no manifest names and returns them.
    /// New locations do not point there; ``release(_:)`` closes them.
    package func leaveUnnamedSegments() -> [UInt64] {
        let numbers = unnamedSegments()
        markReplaced(numbers)
        return numbers
    }

    /// Whether indexes may point into segments that a scan does not read, because the writer has
    /// replaced them.
    package var hasUnnamedSegments: Bool { !unnamedSegments().isEmpty }

    private func follow(
        _ tail: inout Tail, _ following: inout Following, _ applied: UInt64
    ) throws(DaybookError) {
        try followActiveSegment(&tail, &following)
        while let next = try manifestFile.load()?.manifest, next.generation != manifest.generation {
            do throws(DaybookError) {
                try adopt(next, &tail, &following, applied)
            } catch {
                // The files may be missing because a newer manifest already exists.
                guard following.failure == nil,
                    try manifestFile.load()?.manifest.generation != next.generation
                else { throw error }
            }
        }
    }

    /// Adopts a newer manifest. Determines whether all records after `applied` exist.
    private func adopt(
        _ next: Manifest, _ tail: inout Tail, _ following: inout Following, _ applied: UInt64
    ) throws(DaybookError) {
        guard try continues(tail, next) else {
            let error = cutMeanwhile
            following.failure = error
            throw error
        }
        try openSealedSegments(next)
        let fits = next.historyFloor <= applied
        if next.activeNumber != tail.segment.number {
            // Segments that the writer sealed were complete at the roll: read the followed one to
            // its end first.
            try followActiveSegment(&tail, &following)
            let segment = try Segment.openActive(of: next, in: directory, fileSystem, .read)
            var fresh = Tail(startOf: segment)
            try followActiveSegment(&fresh, &following)
            try add(segment)
            tail.segment.allowClosing(files)
            tail = fresh
        }
        catalog.withLock { $0.manifest = next }
        let unnamed = unnamedSegments()
        // The writer unlinks them as soon as it does not need them. Segments that were unlinked
        // before, and segments beyond the limit of open files, are lost to this reader.
        let lostCount = unnamed.count { segment($0)?.keepOpen() == false }
        // Each replay of the whole log then reads at least as many segments as it releases.
        let isCrowded = unnamed.count > max(Self.unnamedCountMin, next.sealed.count)
        if !fits || isCrowded || lostCount > 0 { following.isReplaced = true }
    }

    /// Whether the log still contains the frames that this reader has read. The owner of a replica
    /// may have cut off the last ones.
    private func continues(_ tail: Tail, _ next: Manifest) throws(DaybookError) -> Bool {
        // Later active segments have higher numbers.
        guard next.activeNumber == tail.segment.number else {
            return next.activeNumber > tail.segment.number
        }
        guard tail.offset > LogFormat.SegmentHeader.length else { return true }
        let file = try tail.segment.file
        guard try file.size() >= tail.offset else { return false }
        let trailer = try file.read(
            LogFormat.trailerLength, at: tail.offset - LogFormat.trailerLength)
        return trailer.span.loadLittleEndian(UInt64.self, at: 0) == tail.check
    }

    private var cutMeanwhile: DaybookError {
        DaybookError(
            .historyOfAnotherStore,
            "The last transactions that this reader of \(directory) has read were cut off, because"
                + " another replica replaced them. Close the store and open it again.",
            details: ["path": directory])
    }

    /// The number of replaced segments that may stay open before a replay of the log is required.
    private static let unnamedCountMin = 8

    /// The open segments that locations may point into and that no manifest names.
    private func unnamedSegments() -> [UInt64] {
        let manifest = manifest
        let named = manifest.segmentNumbers
        return segmentNumbers(manifest).filter { !named.contains($0) }
    }

    /// Reads the whole transactions that were appended. They are synced after all were read,
    /// because the writer may append more during a sync.
    private func followActiveSegment(
        _ tail: inout Tail, _ following: inout Following
    ) throws(DaybookError) {
        tail.hash = nil
        let segment = tail.segment
        let size = try segment.file.size()
        var scanner = SegmentScanner(segment, from: tail.position, limit: size)
        var end = tail.position
        var isOpen = false
        // Index entries of complete transactions, and of one without its end.
        var sparseIndex: [SparseIndexEntry] = []
        var pending: [SparseIndexEntry] = []
        while let frame = try scanner.next(), frame.header.kind != FrameKind.seal {
            let isOfRecords = frame.header.kind < FrameKind.skippableFrom
            if isOfRecords { isOpen = !frame.header.endsTransaction }
            pending.note(frame)
            if isOpen { continue }
            for indexEntry in pending { sparseIndex.note(indexEntry) }
            pending.removeAll()
            end = frame.end(
                in: segment, sequence: isOfRecords ? frame.header.lastSequence : end.sequence)
        }
        guard end != tail.position else { return }
        do throws(DaybookError) {
            try segment.syncAsReader(after: tail.lastSequence)
        } catch {
            following.failure = error
            throw error
        }
        for indexEntry in sparseIndex { tail.sparseIndex.note(indexEntry) }
        tail.offset = end.offset
        tail.check = end.check
        tail.lastSequence = end.sequence
    }
}

extension Segment {
    /// Syncs frames of another process, so that they may be shown. A failure is final: a second
    /// sync of the same descriptor proves nothing. Ignored on a file system without syncs.
    func syncAsReader(after sequence: UInt64) throws(DaybookError) {
        do throws(DaybookError) {
            try file.sync()
        } catch  where error.isUnsupportedSync {
            // See the sync of the directory at opening.
        } catch {
            throw DaybookError(
                .durabilityUnknown,
                "A reader's sync failed, so it is unknown which commits after sequence \(sequence)"
                    + " reached the disk. Close the reader and open it again.",
                cause: error,
                details: ["segment": String(number), "durableSequence": String(sequence)])
        }
    }
}

extension SegmentScanner.Frame {
    /// The position after the frame, where `sequence` is the last whole transaction.
    func end(in segment: Segment, sequence: UInt64) -> LogPosition {
        LogPosition(
            segment: segment.number, offset: offset + header.frameLength, check: check,
            sequence: sequence)
    }
}
