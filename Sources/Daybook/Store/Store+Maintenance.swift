import DaybookBytes
import DaybookEngine
import DaybookMaintenance

extension Store {
    /// Returns the number of objects of each entity, the number of links of each relation, and the
    /// sizes of the store's files.
    ///
    /// The counts are those of the newest visible commit. Sizes are in bytes. An unusable snapshot
    /// or a file in quarantine is not an error; the statistics contain it.
    ///
    /// - Throws: `.closed`, `.inputOutput`, `.corruption` if the active segment is damaged.
    /// - Complexity: a read of the active segment and of two other frames; not the size of the
    ///   store.
    public func statistics() throws -> StoreStatistics { try engine.statistics() }

    /// `statistics` without blocking the caller's thread.
    public func statistics() async throws -> StoreStatistics {
        try await engine.readElsewhere { try self.engine.statistics() }
    }

    /// Reads the log and adds up the lengths of its records by their use: live, superseded by newer
    /// versions, or removed. Superseded and removed records are the history, which
    /// ``compact(keeping:except:ignoringConsumers:progress:isCancelled:)`` can drop.
    ///
    /// Nothing is changed; reads and commits continue.
    ///
    /// - Parameters:
    ///   - progress: receives the completed part, 0 to 1.
    ///   - isCancelled: called often; true ends the measurement with `.interrupted`.
    /// - Throws: `.closed`, `.interrupted`, `.inputOutput`, `.corruption` for a damaged segment.
    /// - Complexity: one read of the log, and a lookup in the indexes for each record. Memory: a
    ///   frame, and 16 bytes for each link that was removed and exists again.
    public func logContents(
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> LogContents {
        try engine.logContents(OperationControl(progress: progress, isCancelled: isCancelled))
    }

    /// `logContents` without blocking the caller's thread. Throws `CancellationError` if the task
    /// is cancelled, and `.interrupted` if `isCancelled` returns true.
    public func logContents(
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> LogContents {
        try await Engine.runElsewhere {
            try self.logContents(progress: progress, isCancelled: isCancelled)
        }
    }

    /// Reads every byte of the store's files and reports damage. Nothing is changed; reads and
    /// commits continue.
    ///
    /// The verification compares each segment with its hash, decodes every record and every field
    /// of every row, and compares the replayed log with the indexes and with each snapshot. Damage
    /// is not an error: the report contains it as a finding, and the verification continues with
    /// the rest of the store. A store is sound if the report's `severity` is nil or `.note`.
    ///
    /// - Parameters:
    ///   - progress: receives the completed part, 0 to 1.
    ///   - isCancelled: called often; true ends the verification with `.interrupted`.
    /// - Throws: `.closed`, `.interrupted`, `.permissionDenied`, `.fileNotFound` or `.notAStore` if
    ///   the directory was removed, `.formatTooNew`.
    /// - Complexity: three to four reads of the log, and memory for two states of the store.
    public func verify(
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> VerificationReport {
        try engine.verify(OperationControl(progress: progress, isCancelled: isCancelled))
    }

    /// `verify` without blocking the caller's thread. Throws `CancellationError` if the task is
    /// cancelled, and `.interrupted` if `isCancelled` returns true.
    public func verify(
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> VerificationReport {
        try await Engine.runElsewhere {
            try self.verify(progress: progress, isCancelled: isCancelled)
        }
    }
}
