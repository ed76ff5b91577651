import DaybookBytes
import DaybookEngine

extension Store {
    /// Makes the log smaller: compresses it, and drops the history that `history` does not ask for.
    ///
    /// ```swift
    /// try store.compact(keeping: .last(.seconds(30 * 24 * 3600)), except: ["Log": .versions(3)])
    /// ```
    ///
    /// Reads, writes, queries and backups continue meanwhile. The compaction proceeds in steps; a
    /// crash, an error or a cancellation keeps the finished ones, and never changes the current
    /// state. Dropped versions are gone forever: ``Store/view(at:)`` then begins at the report's
    /// ``CompactionReport/historyFloor``, and the history of an object ends with the last version
    /// that was kept. The history that a view or a backup already uses stays readable for it, and
    /// its disk space is freed afterwards.
    ///
    /// Events are dropped only if `entities` names their type; `history` keeps all of them:
    ///
    /// ```swift
    /// try store.compact(except: ["Reading": .last(.seconds(24 * 3600))])
    /// ```
    ///
    /// The numbers of dropped events are not used again. The commits of dropped events remain as
    /// empty commits as far as `history` keeps commits.
    ///
    /// - Parameters:
    ///   - history: the history to keep. All versions are kept by default.
    ///   - entities: other histories for some entities, by the names of their types. The history of
    ///     a relation is that of the entity that declares it. ``Store/view(at:)`` and
    ///     ``Store/changes(from:of:properties:whenTruncated:)`` begin where the history of all
    ///     entities is complete.
    ///   - ignoresConsumers: whether to drop changes that a ``Consumer`` has not acknowledged. Such
    ///     a consumer then starts again with the whole state of the store. By default the changes
    ///     are kept, and ``CompactionReport/retainingConsumers`` names the consumers.
    ///   - progress: receives the completed part, 0 to 1, for each run of segments.
    ///   - isCancelled: called often; true ends the compaction with `.interrupted`.
    /// - Returns: the sizes of the log, and for each segment the reason why records were kept.
    /// - Throws: `.invalidArgument` in a write transaction of this thread, for an entity that the
    ///   store does not have, a date that is not a number, less than one version, and a number of
    ///   versions of events; `.readOnly`, `.corruption` for a damaged segment or position of a
    ///   consumer, `.interrupted`,
    ///   `.outOfSpace`, `.durabilityUnknown`, `.inputOutput`, `.closed`.
    /// - Complexity: for `.everything`, a read and a write of the segments that are not compressed
    ///   yet; for `.latest` of the whole log; otherwise also another read of the dropped history.
    ///   The result of a step needs free disk space before its old files are removed: about the
    ///   size of a segment, or of the snapshot of the indexes if that is larger. Memory: 24 bytes
    ///   for each object with superseded versions, and 16 bytes for each link.
    @discardableResult
    public func compact(
        keeping history: RetainedHistory = .everything,
        except entities: [String: RetainedHistory] = [:],
        ignoringConsumers ignoresConsumers: Bool = false,
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> CompactionReport {
        let control = OperationControl(progress: progress, isCancelled: isCancelled)
        let policy = try policy(history, entities, control)
        return try ignoresConsumers
            ? engine.compact(policy, sealsActive: true, control)
            : engine.compactForConsumers(policy, sealsActive: true, control)
    }

    /// `compact` without blocking the caller's thread. Throws `CancellationError` if the task is
    /// cancelled, and `.interrupted` if `isCancelled` returns true.
    @discardableResult
    public func compact(
        keeping history: RetainedHistory = .everything,
        except entities: [String: RetainedHistory] = [:],
        ignoringConsumers ignoresConsumers: Bool = false,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> CompactionReport {
        try await Engine.runElsewhere {
            try self.compact(
                keeping: history, except: entities, ignoringConsumers: ignoresConsumers,
                progress: progress, isCancelled: isCancelled)
        }
    }

    /// Returns the report that ``compact(keeping:except:ignoringConsumers:progress:isCancelled:)``
    /// would return now, without the resulting size. Changes nothing; also for a read-only store.
    ///
    /// - Throws: the errors of `compact` except `.readOnly` and those of writing.
    /// - Complexity: a read of the whole log, or two.
    public func compactionPlan(
        keeping history: RetainedHistory = .everything,
        except entities: [String: RetainedHistory] = [:],
        ignoringConsumers ignoresConsumers: Bool = false,
        progress: @escaping (Double) -> Void = { _ in },
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> CompactionReport {
        let control = OperationControl(progress: progress, isCancelled: isCancelled)
        let policy = try policy(history, entities, control)
        return try ignoresConsumers
            ? engine.planCompaction(policy, control)
            : engine.planCompactionForConsumers(policy, control)
    }

    /// `compactionPlan` without blocking the caller's thread. Throws `CancellationError` if the
    /// task is cancelled, and `.interrupted` if `isCancelled` returns true.
    public func compactionPlan(
        keeping history: RetainedHistory = .everything,
        except entities: [String: RetainedHistory] = [:],
        ignoringConsumers ignoresConsumers: Bool = false,
        progress: @escaping @Sendable (Double) -> Void = { _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) async throws -> CompactionReport {
        try await Engine.runElsewhere {
            try self.compactionPlan(
                keeping: history, except: entities, ignoringConsumers: ignoresConsumers,
                progress: progress, isCancelled: isCancelled)
        }
    }

    private func policy(
        _ history: RetainedHistory, _ entities: [String: RetainedHistory],
        _ control: OperationControl
    ) throws(DaybookError) -> HistoryPolicy {
        try engine.policy(for: try RetainedHistory.requests(history, except: entities), control)
    }
}
