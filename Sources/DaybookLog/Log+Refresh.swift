package import DaybookBytes

extension Log {
    /// What a look for new commits found.
    package enum Growth: Sendable {
        case none
        /// There are frames behind those that were folded.
        case appended
        /// The log goes on, but not from what was folded: fold it anew. A compaction dropped
        /// records that this reader had not seen yet, or a recovery moved some that it had.
        case replaced
    }

    /// In a read-only log: takes over what the writer has appended since. `folded` is the last
    /// sequence that the caller has taken from the log.
    ///
    /// New frames are synced by this call before they count, so that a reader in another process
    /// never shows what a power cut could take back. Segments that the writer's compaction replaced
    /// stay open and readable here.
    package func refresh(folded: UInt64) throws(DaybookError) -> Growth {
        guard isReadOnly else { return .none }
        return try tail.withLock { tail throws(DaybookError) in
            var isReplaced = false
            try followActiveSegment(&tail)
            while let next = try manifestFile.load(), next.generation != manifest.generation {
                do throws(DaybookError) {
                    let fits = try adopt(next, &tail, folded)
                    isReplaced = isReplaced || !fits
                } catch {
                    // Its files may be gone because there is a newer one already.
                    let newest = try manifestFile.load()
                    guard newest?.generation != next.generation else { throw error }
                }
            }
            if isReplaced { return .replaced }
            return tail.lastSequence > folded ? .appended : .none
        }
    }

    /// Goes on with a newer manifest. Returns whether all that follows `folded` is there, and all
    /// that came before stays readable where it was.
    private func adopt(
        _ next: Manifest, _ tail: inout Tail, _ folded: UInt64
    ) throws(DaybookError) -> Bool {
        try openSealedSegments(next)
        var fits = next.historyFloor <= folded
        if next.activeNumber != tail.segment.number {
            // What the writer sealed was complete when it rolled: read it to its end first.
            try followActiveSegment(&tail)
            let isWhole = try isWhole(tail, in: next)
            fits = fits && isWhole
            let segment = try Segment.open(
                next.activeFileName, number: next.activeNumber, store: store, in: directory,
                fileSystem, .read)
            var fresh = try Tail(startOf: segment)
            try followActiveSegment(&fresh)
            segments.withLock { $0[segment.number] = segment }
            tail = fresh
        }
        catalog.withLock { $0.manifest = next }
        return fits
    }

    /// Whether the segment that was followed is as long as it was, or will be: a recovery cuts what
    /// it has copied elsewhere.
    private func isWhole(_ tail: Tail, in next: Manifest) throws(DaybookError) -> Bool {
        if let entry = next.sealed.first(where: { $0.number == tail.segment.number }) {
            return entry.length >= tail.offset
        }
        return try tail.segment.file.size() >= tail.offset
    }

    private func followActiveSegment(_ tail: inout Tail) throws(DaybookError) {
        let size = try tail.segment.file.size()
        var scanner = SegmentScanner(tail.segment, from: tail.position, limit: size)
        var isSynced = false
        while let frame = try scanner.next(), frame.header.kind != FrameKind.seal {
            guard frame.header.endsTransaction else { continue }
            if !isSynced {
                try tail.segment.file.sync()
                isSynced = true
            }
            tail.offset = frame.offset + frame.header.frameLength
            tail.check = frame.check
            tail.lastSequence = frame.header.lastSequence
        }
        tail.hash = nil
        tail.marks = nil
    }
}
