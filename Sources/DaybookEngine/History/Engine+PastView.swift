import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// The method that produces a past state.
enum PastWay {
    /// Reverts the changes since, starting from the newest state.
    case rewind
    /// Replays the log from its beginning.
    case replay
}

extension Engine {
    /// The cost of a rewind per byte of the log, relative to a replay. A replay reads records in
    /// order; a rewind looks up preceding versions.
    static let rewindCostFactor = 2

    /// Returns the version at a sequence that readers can see, and retains it.
    ///
    /// The method chooses the cheapest of three ways: moving the nearest of the last returned
    /// versions (see ``PastCursor``), reverting the later changes in the newest version (see
    /// ``Rewind``), or replaying the log up to the sequence. The memory of the version is
    /// proportional to the later changes or, if these are more, to the state at the sequence; no
    /// file grows. The version has the indexes of the newest layouts, except unique indexes that
    /// did not exist yet. Indexes whose build is not complete may be missing.
    ///
    /// - Parameters:
    ///   - keepsIndexes: false if the caller does not use the indexes.
    ///   - way: the way to use; nil for the cheaper one.
    /// - Throws: `.historyTruncated` below ``historyFloor``, `.interrupted`, `.corruption`.
    func pastView(
        at sequence: UInt64, keepsIndexes: Bool = true, by way: PastWay? = nil,
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> ReadView {
        // Takes the log after the version, so that the log contains everything that the version
        // contains.
        let pin = slot.pinVersion()
        let logView = log.view()
        guard sequence >= logView.manifest.historyFloor else { throw historyTruncated(sequence) }
        do throws(DaybookError) {
            let newest =
                try pin.withReader { reader throws(DaybookError) in
                    try reader.get(IndexTree.entities, 0)
                }?.first ?? 0
            if sequence == newest, way == nil { return ReadView(pin, log) }
            if sequence < newest, way == nil, keepsIndexes,
                let kept = try keptView(
                    at: sequence, logView,
                    otherBytes: { () throws(DaybookError) in
                        let bytes = try log.bytes(aroundSequence: sequence + 1, in: logView)
                        return min(bytes.before, bytes.after * Self.rewindCostFactor)
                    }, control)
            {
                return kept
            }
            if sequence < newest, try isRewind(way, to: sequence, logView) {
                let (cursors, generation) = pastVersions.withLock { ($0.cursors, $0.generation) }
                let other = way == nil ? Self.last(of: cursors, through: sequence) : nil
                var rewind = try Rewind(
                    pin.hold(), log, logView, schemas.schema, near: other?.pin, control)
                let (space, indexes) = try rewind.run(to: sequence)
                let cursor = PastCursor(
                    space, rewind.applied, indexes, try logView.segments
                ).retaining(other)
                return way == nil && keepsIndexes
                    ? keep(cursor, since: generation) : cursor.view(log)
            }
        } catch  where error.isDamagedSnapshot {
            // The log contains all data of the snapshot.
        }
        return try replayedView(
            at: sequence, keepsIndexes: keepsIndexes, isKept: way == nil, control)
    }

    private func isRewind(
        _ way: PastWay?, to sequence: UInt64, _ logView: LogView
    ) throws(DaybookError) -> Bool {
        if let way { return way == .rewind }
        let bytes = try log.bytes(aroundSequence: sequence + 1, in: logView)
        return bytes.after * Self.rewindCostFactor <= bytes.before
    }

    private func replayedView(
        at sequence: UInt64, keepsIndexes: Bool, isKept: Bool, _ control: OperationControl
    ) throws(DaybookError) -> ReadView {
        let last = min(sequence, readableSequence)
        let generation = pastVersions.withLock { $0.generation }
        var replay = SteppedReplay(log, control, keepsIndexes: false)
        try replay.advance(to: last)
        // A compaction may have run meanwhile.
        guard last >= historyFloor else { throw historyTruncated(last) }
        if keepsIndexes {
            let schema = schemas.schema
            let known = Set(replay.schema.layouts.map(\.layoutID))
            let later = Set(schema.layouts.map(\.layoutID)).subtracting(known)
            let indexes = PastIndexes(schema, without: later)
            try replay.build(indexes)
            if isKept {
                let cursor = PastCursor(
                    replay.space, replay.applied, indexes, replay.segments)
                return keep(cursor, since: generation)
            }
        }
        return ReadView(replay.space.pinVersion(), log, holding: replay.segments)
    }
}
