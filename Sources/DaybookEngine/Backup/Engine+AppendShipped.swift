package import DaybookBytes
import DaybookLog
import DaybookRecords

extension Engine {
    /// Appends transactions of the writer to the log of a follower, and makes them visible. Returns
    /// the sequence of the last one.
    ///
    /// `sequence` is the sequence before the first transaction. Transactions that the log contains
    /// already are compared and skipped. Everything that can be checked is checked before the first
    /// append. With ``Durability/always``, the transactions are durable when they become visible.
    /// Throws `.historyOfAnotherStore` for other transactions with the same sequences, and the
    /// detail `commonSequence` names the last equal one; `.invalidArgument` if the log ends before
    /// `sequence` or the store does not follow; `.corruption`, `.formatTooNew`, and the errors of a
    /// commit.
    @discardableResult
    package func append(
        shipped bytes: [UInt8], after sequence: UInt64
    ) throws(DaybookError) -> UInt64 {
        let records = try ShippedTransactions.records(of: bytes.span)
        var received = try ReceivedTransaction.divide(
            records.span, after: sequence, payloadBytes: options.framePayloadBytes)
        guard let last = received.last?.commit.sequence else { return sequence }
        let rolled = try writer.withLock { _ throws(DaybookError) -> Bool in
            try requireWritable()
            try requireFollowing(after: sequence)
            if log.lastSequence > sequence {
                received.removeFirst(try equalCount(received, after: sequence))
            }
            try check(received)
            return try append(received, until: last)
        }
        announceAppended(until: last)
        guard !received.isEmpty else { return last }
        expirePastVersions(after: last, isLarge: false)
        maintainIfDue(rolled: rolled)
        compressWhenIdle()
        resumeErasures()
        buildIndexesIfDue(retriesUnread: false)
        return last
    }

    /// Returns whether a new segment began. The caller holds the writer lock.
    private func append(
        _ received: [ReceivedTransaction], until last: UInt64
    ) throws(DaybookError) -> Bool {
        var hasRolled = false
        do throws(DaybookError) {
            for transaction in received {
                let frames = try log.append(
                    transaction.payloads,
                    timeMicroseconds: UInt64(clamping: transaction.commit.timeMicroseconds))
                hasRolled = hasRolled || frames.isFirstOfSegment
            }
        } catch {
            // The transactions before the failed one are in the log.
            try replayAppended()
            announceAppended(until: last)
            throw error
        }
        try replayAppended()
        return hasRolled
    }

    /// Announces the transactions in the log of a follower. The log may also have later ones than
    /// the received ones: a former writer did not ship them.
    private func announceAppended(until received: UInt64) {
        let last = trees.withLock { $0.applied.sequence }
        publication.begin(at: last)
        publication.tell()
        options.shipping?.begin(at: min(received, last))
    }

    /// Throws `.corruption` if the transactions contradict the schema, or each other.
    private func check(_ received: [ReceivedTransaction]) throws(DaybookError) {
        try schemas.check(received.flatMap(\.layouts))
        let schema = schemas.schema
        var known: Set<UInt32> = []
        for transaction in received {
            known.formUnion(transaction.layouts.map(\.layoutID))
            let unknown = transaction.usedLayouts.first {
                !known.contains($0) && schema.layout($0) == nil
            }
            if let unknown {
                throw ShippedTransactions.damaged("a row has the unknown layout \(unknown)")
            }
        }
    }

    private func requireFollowing(after sequence: UInt64) throws(DaybookError) {
        guard options.shipping?.role == .following, log.lastSequence >= sequence else {
            throw DaybookError(
                .invalidArgument,
                "Transactions after sequence \(sequence) cannot be added to the log in"
                    + " \(log.directory), which ends at \(log.lastSequence).",
                details: ["sequence": String(sequence), "lastSequence": String(log.lastSequence)])
        }
    }

    /// The number of the received transactions that the log contains already. Throws
    /// `.historyOfAnotherStore` if the log contains another transaction with the same sequence.
    func equalCount(
        _ received: [ReceivedTransaction], after sequence: UInt64
    ) throws(DaybookError) -> Int {
        // Compactions and erasures change records of shipped transactions only, so those are equal.
        let changedEnd = max(log.manifest.gapsEnd, lastErasure)
        let start = max(sequence, min(changedEnd, log.lastSequence))
        var records = LogRecords(LogFrames(try log.scan(after: start, at: nil), after: start))
        var common = sequence
        for (count, transaction) in received.enumerated() {
            guard common < log.lastSequence else { return count }
            guard transaction.commit.sequence > start else {
                common = transaction.commit.sequence
                continue
            }
            for payload in transaction.payloads {
                var reader = RecordReader(payload.bytes.span)
                while let record = try reader.next() {
                    guard let local = try records.next()?.record,
                        local.payload.span.extracting(local.record.offset..<local.record.end).array
                            == payload.bytes.span.extracting(record.offset..<record.end).array
                    else { throw differs(after: common) }
                }
            }
            common = transaction.commit.sequence
        }
        return received.count
    }

    private func differs(after common: UInt64) -> DaybookError {
        DaybookError(
            .historyOfAnotherStore,
            "The transactions after sequence \(common) in \(log.directory) are not those of the"
                + " replicated log. Cut them off, and append the others.",
            details: ["commonSequence": String(common), "path": log.directory])
    }

    /// Applies the appended frames to the trees. The caller holds the writer lock.
    private func replayAppended() throws(DaybookError) {
        if options.durability == .always { try log.durability?.wait(for: log.lastSequence) }
        let space = slot.current
        do throws(DaybookError) {
            try OperationCancellation.shielded { () throws(DaybookError) in try replayTail() }
        } catch {
            // The transactions are in the log, so the trees can be rebuilt from it.
            try rebuildOrStop(replacing: space)
        }
    }
}
