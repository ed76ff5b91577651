package import DaybookBytes
import DaybookLog

extension Engine {
    /// The place behind the last commit that is durable and visible.
    package var position: ChangePosition {
        ChangePosition(store: log.store, sequence: commitSignal.sequence)
    }

    /// The sequence of a place in this store's history, or in what it shares with the store that it
    /// was restored or copied from. Throws `.historyOfAnotherStore` for any other, and for one that
    /// the history has not reached.
    package func sequence(at position: ChangePosition) throws(DaybookError) -> UInt64 {
        guard sharesHistory(of: position.store, until: position.sequence) else {
            throw DaybookError(
                .historyOfAnotherStore,
                "The place '\(position)' is one in the history of another store; this one is"
                    + " '\(log.store)'. Begin again with the store's whole state.",
                details: ["store": "\(log.store)", "position": "\(position)"])
        }
        try requireReached(position.sequence)
        return position.sequence
    }

    /// Throws `.historyOfAnotherStore` for a sequence that this store has not reached. A store that
    /// only reads looks for what its writer has committed first: it may be behind a place that the
    /// writer named.
    func requireReached(_ sequence: UInt64) throws(DaybookError) {
        if sequence > log.lastSequence { try refresh() }
        let last = log.lastSequence
        guard sequence > last else { return }
        throw DaybookError(
            .historyOfAnotherStore,
            "The place in the history, sequence \(sequence), is ahead of the store, which ends with"
                + " \(last): it may have been restored from an older backup. Begin again with the"
                + " store's whole state.",
            details: ["sequence": String(sequence), "lastSequence": String(last)])
    }
}
