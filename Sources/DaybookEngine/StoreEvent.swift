public import DaybookBytes

/// An event in the operation of a store, for logs and metrics: work that the store does by itself,
/// slow operations, and errors that no call throws. See ``StoreObserver``.
///
/// ``name``, ``level``, ``message`` and ``details`` describe each event, so that a handler need not
/// distinguish them. Later releases may add cases: end a `switch` with `default`.
public enum StoreEvent: Sendable {
    /// The store was opened, after this time. The report contains the repairs: a torn tail that was
    /// cut, files in quarantine, rejected snapshots. Always the first event.
    case opened(OpeningReport, duration: Duration)
    /// The store was closed. Always the last event.
    case closed

    // MARK: Work in the background

    /// A snapshot of the indexes was written.
    case snapshotWritten(sequence: UInt64, lengthBytes: Int, duration: Duration)
    /// Segments were sealed, compressed, merged, or freed of old history. Not delivered if nothing
    /// was rewritten.
    case compacted(CompactionReport, cause: CompactionCause, duration: Duration)
    /// Indexes over existing objects were built.
    case indexesBuilt(duration: Duration)
    /// Expired objects were removed.
    case expiredObjectsRemoved(count: Int, duration: Duration)

    // MARK: Errors

    /// Work in the background failed. Delivered once for the same error of the same task, until the
    /// task succeeds.
    case backgroundFailed(Task, DaybookError)
    /// Damaged pages of a snapshot were found, and the indexes were rebuilt from the log.
    case indexesRebuilt(duration: Duration)
    /// The store accepts no more writes, because a sync or a write failed.
    case stopped(DaybookError)

    // MARK: Slow operations

    /// A query took at least ``SlowLimits/query``.
    case slowQuery(QueryTiming)
    /// A commit took at least ``SlowLimits/commit``.
    case slowCommit(CommitTiming)
    /// A transaction waited at least ``SlowLimits/lockWait`` for other writers.
    case slowLockWait(Duration)
    /// A refresh of a read-only store took at least ``SlowLimits/refresh``.
    case slowRefresh(commitCount: UInt64, duration: Duration)
    /// A named consumer has not acknowledged ``SlowLimits/consumerLag`` commits or more. Delivered
    /// again only after the consumer was below the limit.
    case slowConsumer(name: String, commitCount: UInt64)

    // MARK: Measurements, for observers that measure

    /// A transaction was committed.
    case committed(CommitTiming)
    /// The log was synced.
    case synced(duration: Duration)
    /// A query was run.
    case queried(QueryTiming)
    /// A read-only store has read new commits of the writer.
    case refreshed(commitCount: UInt64, duration: Duration)
    /// The present state of the store, at intervals and before it is closed.
    case measured(StoreMeasurements)
    /// The observers were slower than the store, so events were dropped: measurements first.
    case eventsDropped(count: Int)
}

extension StoreEvent {
    /// The importance of an event, lowest first. The names are those of swift-log.
    public enum Level: String, Sendable, Hashable, CaseIterable, Comparable {
        case debug, info, notice, warning, error, critical

        /// Whether the first level is less important than the second.
        public static func < (one: Level, other: Level) -> Bool { one.rank < other.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The reason for a compaction.
    public enum CompactionCause: String, Sendable, Hashable {
        /// The program called it.
        case call
        /// A segment was sealed and is compressed.
        case sealedSegment
        /// History is older than the options ask for.
        case retention
        /// The store was idle.
        case idle
        /// The store is being closed.
        case close
    }

    /// The work in the background that can fail.
    public enum Task: String, Sendable, Hashable {
        /// Snapshots, the compression of sealed segments, and retention.
        case maintenance
        /// The compression of an idle store or of one that is being closed.
        case idleCompression
        /// The building of indexes over existing objects.
        case indexes
        /// The removal of expired objects.
        case expiry
        /// The refresh of a read-only store.
        case refresh
        /// The snapshot of a close.
        case close
        /// A write that no caller waited for, such as one of ObjectBox's `AsyncBox`. Nothing of it
        /// is stored. Delivered for each failed write.
        case writeQueue
    }

    /// Whether only observers that measure receive the event.
    public var isMeasurement: Bool {
        switch self {
        case .committed, .synced, .queried, .refreshed, .measured: true
        default: false
        }
    }
}
