package import DaybookBytes
import DaybookLog

/// The last transaction that a copy on another machine may contain.
package struct DurablePosition: Sendable, Hashable {
    package var sequence: UInt64
    /// The time of that commit in microseconds since 1970, or of a later one; 0 in an empty store.
    package var timeMicroseconds: UInt64
}

extension Engine {
    /// Makes the commits up to now durable and returns the last one that readers may see.
    ///
    /// A copy elsewhere must not contain a commit that this store can lose: after a power failure
    /// the store would commit other transactions with the same sequences. In a read-only store,
    /// another process commits, and this method syncs the file for it. Throws
    /// `.durabilityUnknown`, `.closed`, and the errors of a refresh.
    package func durablePosition() throws(DaybookError) -> DurablePosition {
        try requireOpen()
        guard log.isReadOnly else {
            // A commit during the sync is not covered by it.
            let sequence = readableSequence
            try sync()
            return position(until: sequence)
        }
        var attempts = 0
        while true {
            try refresh()
            let sequence = log.lastSequence
            attempts += 1
            do throws(DaybookError) {
                // A sealed segment is durable before the next one begins.
                let path = log.directory + "/" + log.manifest.activeFileName.text
                let file = try log.fileSystem.open(path, .read)
                defer { file.close() }
                try file.sync()
                return position(until: sequence)
            } catch  where error.code == .fileNotFound && attempts < Self.syncAttemptCountMax {
                // The writer sealed and replaced the segment meanwhile.
            }
        }
    }

    private static let syncAttemptCountMax = 100

    private func position(until sequence: UInt64) -> DurablePosition {
        trees.withLock { state in
            DurablePosition(
                sequence: min(sequence, state.applied.sequence),
                timeMicroseconds: state.lastTimeMicroseconds)
        }
    }

    /// Whether the log has the same transactions as another copy of it, as far as it still has
    /// their records. `sequence` is the sequence before the first one.
    ///
    /// Returns false if the log ends before the last one. Cost: a read of these frames. Throws
    /// `.corruption` and `.formatTooNew` for bytes that are no transactions, and `.closed`.
    package func contains(
        shipped bytes: [UInt8], after sequence: UInt64
    ) throws(DaybookError) -> Bool {
        try requireOpen()
        let records = try ShippedTransactions.records(of: bytes.span)
        let transactions = try ReceivedTransaction.divide(
            records.span, after: sequence, payloadBytes: options.framePayloadBytes)
        do throws(DaybookError) {
            return try equalCount(transactions, after: sequence) == transactions.count
        } catch  where error.code == .historyOfAnotherStore {
            return false
        }
    }
}
