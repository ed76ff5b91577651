import DaybookBytes
import DaybookEngine

/// The history that a compaction keeps.
public enum RetainedHistory: Sendable, Hashable {
    /// Every version. The compaction only compresses the log.
    case everything
    /// The state at a moment and everything that happened later. Versions that were superseded
    /// before the moment are dropped, and so are objects that were removed before it. A moment
    /// before the remaining history drops nothing.
    case since(HistoryMoment)
    /// The last version of each object.
    case latest
}

extension Store {
    /// Makes the log smaller: compresses it, and drops the history that `history` does not ask for.
    ///
    /// Reads, writes, queries and backups continue meanwhile. A crash, an error or a cancellation
    /// before the end leaves the contents of the store unchanged. Dropped versions are gone
    /// forever: ``Store/view(at:)`` and the history of an object then begin at the report's
    /// ``CompactionReport/historyFloor``. The history that a view or a backup already uses stays
    /// readable for it, and its disk space is freed afterwards.
    ///
    /// - Parameters:
    ///   - history: the history to keep. All versions are kept by default.
    ///   - ignoresConsumers: whether to drop changes that a ``Consumer`` has not acknowledged. Such
    ///     a consumer then starts again with the whole state of the store. By default the changes
    ///     are kept, and ``CompactionReport/retainingConsumers`` names the consumers.
    ///   - progress: receives the completed part, 0 to 1, for each run of segments.
    ///   - isCancelled: called often; true ends the compaction with `.interrupted`.
    /// - Returns: the sizes of the log, and for each segment the reason why records were kept.
    /// - Throws: `.invalidArgument` in a write transaction of this thread, and for a date that is
    ///   not a number; `.readOnly`, `.corruption` for a damaged segment or position of a consumer,
    ///   `.interrupted`, `.outOfSpace`, `.durabilityUnknown`, `.inputOutput`, `.closed`.
    /// - Complexity: for `.everything`, a read and a write of the segments that are not compressed
    ///   yet; otherwise of the whole log, and for a moment also the cost of ``Store/view(at:)``.
    ///   The result needs free disk space before the old files are removed. Memory: 32 bytes per
    ///   object.
    @discardableResult
    public func compact(
        keeping history: RetainedHistory = .everything,
        ignoringConsumers ignoresConsumers: Bool = false,
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> CompactionReport {
        let control = OperationControl(progress: progress, isCancelled: isCancelled)
        let policy = try policy(history, control)
        return try ignoresConsumers
            ? engine.compact(policy, sealsActive: true, control)
            : engine.compactForConsumers(policy, sealsActive: true, control)
    }

    /// `compact` without blocking the caller's thread. Throws `CancellationError` if the task is
    /// cancelled, and `.interrupted` if `isCancelled` returns true.
    @discardableResult
    public func compact(
        keeping history: RetainedHistory = .everything,
        ignoringConsumers ignoresConsumers: Bool = false,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> CompactionReport {
        try await Engine.runElsewhere {
            try self.compact(
                keeping: history, ignoringConsumers: ignoresConsumers, progress: progress,
                isCancelled: isCancelled)
        }
    }

    /// Returns the report that ``compact(keeping:ignoringConsumers:progress:isCancelled:)`` would
    /// return now, without the resulting size. Changes nothing; also for a read-only store.
    ///
    /// - Throws: the errors of `compact` except `.readOnly` and those of writing.
    /// - Complexity: a read of the whole log, and for a moment the cost of ``Store/view(at:)``.
    public func compactionPlan(
        keeping history: RetainedHistory = .everything,
        ignoringConsumers ignoresConsumers: Bool = false,
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> CompactionReport {
        let control = OperationControl(progress: progress, isCancelled: isCancelled)
        let policy = try policy(history, control)
        return try ignoresConsumers
            ? engine.planCompaction(policy, control)
            : engine.planCompactionForConsumers(policy, control)
    }

    /// `compactionPlan` without blocking the caller's thread. Throws `CancellationError` if the
    /// task is cancelled, and `.interrupted` if `isCancelled` returns true.
    public func compactionPlan(
        keeping history: RetainedHistory = .everything,
        ignoringConsumers ignoresConsumers: Bool = false,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> CompactionReport {
        try await Engine.runElsewhere {
            try self.compactionPlan(
                keeping: history, ignoringConsumers: ignoresConsumers, progress: progress,
                isCancelled: isCancelled)
        }
    }

    private func policy(
        _ history: RetainedHistory, _ control: OperationControl
    ) throws(DaybookError) -> HistoryPolicy {
        switch history {
        case .everything: return .all
        case .since(let moment):
            return .since(try engine.last(atOrBefore: moment.point, control))
        case .latest: return .latest
        }
    }
}
