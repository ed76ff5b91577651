package import DaybookBytes
import DaybookLog

extension Engine {
    /// The position after the last commit that is durable and visible.
    package var position: ChangePosition {
        ChangePosition(store: log.store, sequence: commitSignal.sequence)
    }

    /// Returns the sequence of a position in this store's history, or in the history that it shares
    /// with the store from which it was restored or copied. Throws `.historyOfAnotherStore` for any
    /// other position, and for one that the history has not reached.
    package func sequence(at position: ChangePosition) throws(DaybookError) -> UInt64 {
        guard sharesHistory(of: position.store, until: position.sequence) else {
            throw DaybookError(
                .historyOfAnotherStore,
                "The position '\(position)' belongs to the history of another store; this store is"
                    + " '\(log.store)'. Start again with the whole state of the store.",
                details: ["store": "\(log.store)", "position": "\(position)"])
        }
        try requireReached(position.sequence)
        return position.sequence
    }

    /// The length of the log after a commit in bytes, to about 64 KiB. Cost: one read of the sparse
    /// index of a segment.
    package func logBytes(after sequence: UInt64) throws(DaybookError) -> Int {
        try log.bytes(aroundSequence: sequence + 1, in: log.view()).after
    }

    /// Throws `.historyOfAnotherStore` for a sequence that this store has not reached. A read-only
    /// store first looks for new commits of its writer, because the position may be newer than its
    /// last refresh.
    func requireReached(_ sequence: UInt64) throws(DaybookError) {
        if sequence > log.lastSequence { try refresh() }
        let last = log.lastSequence
        guard sequence > last else { return }
        throw DaybookError(
            .historyOfAnotherStore,
            "The position at sequence \(sequence) is after the end of the store's history,"
                + " \(last): the store may have been restored from an older backup. Start again"
                + " with the whole state of the store.",
            details: ["sequence": String(sequence), "lastSequence": String(last)])
    }
}
