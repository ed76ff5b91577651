package import DaybookBytes

/// What a read-only log remembers from one look for new commits to the next.
struct Following {
    /// A newer manifest was taken over that does not go on from what was applied, and no call has
    /// said so yet.
    var isReplaced = false
    /// Why no sync will be believed any more, if one failed.
    var failure: DaybookError?
}

extension Log {
    /// What a look for new commits found.
    package enum Growth: Sendable {
        case none
        /// There are frames behind those that were applied.
        case appended
        /// The log goes on, but not from what was applied: replay it whole, and then let go of
        /// ``leaveUnnamedSegments()``. A compaction dropped records that this reader had not seen
        /// yet, a recovery moved some that it had, or many of the segments that are open here
        /// exist nowhere else any more.
        case replaced
    }

    /// In a read-only log: takes over what the writer has appended since. `applied` is the last
    /// sequence that the caller has taken from the log.
    ///
    /// New frames are synced by this call before they count, so that a reader in another process
    /// never shows what a power cut could take back. Segments that the writer's compaction replaced
    /// stay open and readable here. Throws `.durabilityUnknown` when that sync fails, and from then
    /// on: only a log that is opened anew can tell what is there.
    package func refresh(applied: UInt64) throws(DaybookError) -> Growth {
        // A backup stays what it was when it was opened; a newer one has files of its own.
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
    /// Nothing that is applied from now on points there; ``release(_:)`` closes them.
    package func leaveUnnamedSegments() -> [UInt32] {
        let numbers = unnamedSegments()
        markReplaced(numbers)
        return numbers
    }

    /// Whether indexes may point into segments that a scan of the log does not read, because the
    /// writer has replaced them.
    package var hasUnnamedSegments: Bool { !unnamedSegments().isEmpty }

    private func follow(
        _ tail: inout Tail, _ following: inout Following, _ applied: UInt64
    ) throws(DaybookError) {
        try followActiveSegment(&tail, &following)
        while let next = try manifestFile.load(), next.generation != manifest.generation {
            do throws(DaybookError) {
                try adopt(next, &tail, &following, applied)
            } catch {
                // Its files may be gone because there is a newer one already.
                guard following.failure == nil,
                    try manifestFile.load()?.generation != next.generation
                else { throw error }
            }
        }
    }

    /// Goes on with a newer manifest. Notes whether all that follows `applied` is there, and all
    /// that came before stays readable where it was.
    private func adopt(
        _ next: Manifest, _ tail: inout Tail, _ following: inout Following, _ applied: UInt64
    ) throws(DaybookError) {
        try openSealedSegments(next)
        var fits = next.historyFloor <= applied
        if next.activeNumber != tail.segment.number {
            // What the writer sealed was complete when it rolled: read it to its end first.
            try followActiveSegment(&tail, &following)
            let isWhole = try isWhole(tail, in: next)
            fits = fits && isWhole
            let segment = try Segment.open(
                next.activeFileName, number: next.activeNumber, store: store, in: directory,
                fileSystem, .read)
            var fresh = try Tail(startOf: segment)
            try followActiveSegment(&fresh, &following)
            segments.withLock { $0.add(segment) }
            tail = fresh
        }
        catalog.withLock { $0.manifest = next }
        // Each replay of the whole log pays for as many segments as it reads, or more.
        let isCrowded = unnamedSegments().count > max(Self.unnamedCountMin, next.sealed.count)
        if !fits || isCrowded { following.isReplaced = true }
    }

    /// So many segments that exist nowhere else may stay open before their records are looked up
    /// elsewhere.
    private static let unnamedCountMin = 8

    /// The open segments that locations may point into and no manifest names any more.
    private func unnamedSegments() -> [UInt32] {
        let manifest = manifest
        let named = Set(manifest.sealed.map(\.number) + [manifest.activeNumber])
        return segmentNumbers(manifest).filter { !named.contains($0) }
    }

    /// Whether the segment that was followed is as long as it was, or will be: a recovery cuts what
    /// it has copied elsewhere.
    private func isWhole(_ tail: Tail, in next: Manifest) throws(DaybookError) -> Bool {
        if let entry = next.sealed.first(where: { $0.number == tail.segment.number }) {
            return entry.length >= tail.offset
        }
        return try tail.segment.file.size() >= tail.offset
    }

    /// Steps over the whole transactions that were added since. They are synced once all have been
    /// read, for the writer may add more while a sync is under way.
    private func followActiveSegment(
        _ tail: inout Tail, _ following: inout Following
    ) throws(DaybookError) {
        tail.hash = nil
        let segment = tail.segment
        let size = try segment.file.size()
        var scanner = SegmentScanner(segment, from: tail.position, limit: size)
        var end = tail.position
        var isOpen = false
        // Of whole transactions, and of one whose end was not seen yet.
        var marks: [FrameMark] = []
        var pending: [FrameMark] = []
        while let frame = try scanner.next(), frame.header.kind != FrameKind.seal {
            let isOfRecords = frame.header.kind < FrameKind.skippableFrom
            if isOfRecords { isOpen = !frame.header.endsTransaction }
            pending.note(frame)
            if isOpen { continue }
            for mark in pending { marks.note(mark) }
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
        for mark in marks { tail.marks.note(mark) }
        tail.offset = end.offset
        tail.check = end.check
        tail.lastSequence = end.sequence
    }
}

extension Segment {
    /// Syncs what another process has written, so that it may be shown. A failure is final: a
    /// second sync of the same descriptor proves nothing.
    func syncAsReader(after sequence: UInt64) throws(DaybookError) {
        do throws(DaybookError) {
            try file.sync()
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
    /// The place behind it, where `sequence` is the last whole transaction.
    func end(in segment: Segment, sequence: UInt64) -> LogPosition {
        LogPosition(
            segment: segment.number, offset: offset + header.frameLength, check: check,
            sequence: sequence)
    }
}
