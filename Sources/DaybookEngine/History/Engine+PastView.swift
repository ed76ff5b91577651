import DaybookBytes
import DaybookRecords
import DaybookLog
import DaybookPages

/// How a state of the past comes about.
enum PastWay {
    /// The newest state is taken back.
    case rewind
    /// The log is replayed from its beginning.
    case replay
}

extension Engine {
    /// How much cheaper a replay is for each byte of the log: it reads them in their order, while
    /// what is set back is looked for.
    private static let rewindCostFactor = 2

    /// The version of a sequence that readers see, held.
    ///
    /// It is made in the cheaper of two ways: from the newest version by setting back what the log
    /// changed since (see ``Rewind``), or by replaying the log up to it. So holding it takes memory
    /// for what was changed since, or where that is more than there was before, for what there
    /// was; no file grows. It has the indexes of the newest layouts, save for unique ones that were
    /// not there yet; those that are not built now may be missing.
    ///
    /// - Parameters:
    ///   - keepsIndexes: false where nobody will ask them.
    ///   - way: how to make it; nil for the cheaper way.
    /// - Throws: `.historyTruncated` below ``historyFloor``, `.interrupted`, `.corruption`.
    func pastView(
        at sequence: UInt64, keepsIndexes: Bool = true, by way: PastWay? = nil,
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> ReadView {
        // First the version and then the log, which has all that the version has.
        let pin = slot.pin()
        let logView = log.view()
        guard sequence >= logView.manifest.historyFloor else { throw historyTruncated(sequence) }
        do throws(DaybookError) {
            let newest = try pin.reader.get(IndexTree.entities, 0)?.first ?? 0
            if sequence == newest, way == nil { return ReadView(pin, log) }
            if sequence < newest, try isRewind(way, to: sequence, logView) {
                var rewind = try Rewind(pin, log, logView, schemas.schema, control)
                let space = try rewind.run(to: sequence)
                return ReadView(
                    space.pin(), log, holding: try logView.segments, indexes: rewind.indexes)
            }
        } catch  where error.isDamagedSnapshot {
            // The log has all that the snapshot had.
        }
        return try replayedView(at: sequence, keepsIndexes: keepsIndexes, control)
    }

    private func isRewind(
        _ way: PastWay?, to sequence: UInt64, _ logView: LogView
    ) throws(DaybookError) -> Bool {
        if let way { return way == .rewind }
        let bytes = try log.bytes(aroundSequence: sequence + 1, in: logView)
        return bytes.after * Self.rewindCostFactor <= bytes.before
    }

    private func replayedView(
        at sequence: UInt64, keepsIndexes: Bool, _ control: OperationControl
    ) throws(DaybookError) -> ReadView {
        let last = min(sequence, readableSequence)
        var replay = SteppedReplay(log, control, keepsIndexes: false)
        try replay.advance(to: last)
        // A compaction may have come in between.
        guard last >= historyFloor else { throw historyTruncated(last) }
        if keepsIndexes {
            let schema = schemas.schema
            let known = Set(replay.schema.layouts.map(\.layoutID))
            let later = Set(schema.layouts.map(\.layoutID)).subtracting(known)
            try replay.build(PastIndexes(schema, without: later))
        }
        return ReadView(replay.space.pin(), log, holding: replay.segments)
    }
}
