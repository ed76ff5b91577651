#if Observability
import CoreMetrics
import Daybook
import Synchronization

/// The metrics of one store. An observer calls ``record(_:)`` for one event after another.
final class StoreMetrics: Sendable {
    /// The state that follows from earlier events.
    private struct State {
        /// The last totals, because counters are increased by differences.
        var last = StoreMeasurements?.none
        var queries: [String: QueryMetrics] = [:]
        var consumers: [String: Gauge] = [:]
    }

    /// The metrics of the queries of one entity.
    private struct QueryMetrics {
        let duration: Timer
        let examined: Counter
        let returned: Counter
        let slow: Counter
    }

    private let store: String
    private let factory: any MetricsFactory
    private let state = Mutex(State())
    private let commits: Counter
    private let records: Counter
    private let appendedBytes: Counter
    private let commitDuration: Timer
    private let lockWait: Timer
    private let syncDuration: Timer
    private let slowCommits: Counter
    private let snapshotDuration: Timer
    private let snapshotBytes: Counter
    private let compactionDuration: Timer
    private let expiredObjects: Counter
    private let refreshDuration: Timer
    private let errors: Counter
    private let droppedEvents: Counter
    private let openReaders: Gauge
    private let logBytes: Gauge
    private let cacheBytes: Gauge
    private let cacheHits: Counter
    private let cacheMisses: Counter
    private let liveAdvances: Counter

    init(store: String, _ factory: any MetricsFactory) {
        self.store = store
        self.factory = factory
        let dimensions = [("store", store)]
        func counter(_ name: String) -> Counter {
            Counter(label: "daybook_" + name, dimensions: dimensions, factory: factory)
        }
        func timer(_ name: String) -> Timer {
            Timer(label: "daybook_" + name, dimensions: dimensions, factory: factory)
        }
        func gauge(_ name: String) -> Gauge {
            Gauge(label: "daybook_" + name, dimensions: dimensions, factory: factory)
        }
        commits = counter("commits")
        records = counter("records")
        appendedBytes = counter("appended_bytes")
        commitDuration = timer("commit_duration")
        lockWait = timer("lock_wait_duration")
        syncDuration = timer("sync_duration")
        slowCommits = counter("slow_commits")
        snapshotDuration = timer("snapshot_duration")
        snapshotBytes = counter("snapshot_bytes")
        compactionDuration = timer("compaction_duration")
        expiredObjects = counter("expired_objects")
        refreshDuration = timer("refresh_duration")
        errors = counter("background_errors")
        droppedEvents = counter("dropped_events")
        openReaders = gauge("open_readers")
        logBytes = gauge("log_bytes")
        cacheBytes = gauge("cache_bytes")
        cacheHits = counter("cache_hits")
        cacheMisses = counter("cache_misses")
        liveAdvances = counter("live_query_advances")
    }

    /// Changes the metrics that follow from an event.
    func record(_ event: StoreEvent) {
        switch event {
        case .committed(let commit): record(commit)
        case .slowCommit: slowCommits.increment()
        case .synced(let duration): syncDuration.record(duration)
        case .queried(let query): record(query, isSlow: false)
        case .slowQuery(let query): record(query, isSlow: true)
        case .snapshotWritten(_, let lengthBytes, let duration):
            snapshotDuration.record(duration)
            snapshotBytes.increment(by: lengthBytes)
        case .compacted(_, _, let duration): compactionDuration.record(duration)
        case .expiredObjectsRemoved(let count, _): expiredObjects.increment(by: count)
        case .refreshed(_, let duration): refreshDuration.record(duration)
        case .backgroundFailed, .stopped: errors.increment()
        case .eventsDropped(let count): droppedEvents.increment(by: count)
        case .measured(let measured): record(measured)
        default: break
        }
    }

    private func record(_ commit: StoreEvent.CommitTiming) {
        commits.increment()
        records.increment(by: commit.recordCount)
        appendedBytes.increment(by: commit.lengthBytes)
        commitDuration.record(commit.duration)
        lockWait.record(commit.lockWait)
    }

    private func record(_ query: StoreEvent.QueryTiming, isSlow: Bool) {
        let metrics = state.withLock { state in
            if let known = state.queries[query.entity] { return known }
            let made = queryMetrics(of: query.entity)
            state.queries[query.entity] = made
            return made
        }
        // A slow query has been recorded as a query before.
        guard !isSlow else { return metrics.slow.increment() }
        metrics.duration.record(query.duration)
        metrics.examined.increment(by: query.rowsExamined)
        metrics.returned.increment(by: query.rowsReturned)
    }

    private func queryMetrics(of entity: String) -> QueryMetrics {
        let dimensions = [("store", store), ("entity", entity)]
        func counter(_ name: String) -> Counter {
            Counter(label: "daybook_query_" + name, dimensions: dimensions, factory: factory)
        }
        return QueryMetrics(
            duration: Timer(
                label: "daybook_query_duration", dimensions: dimensions, factory: factory),
            examined: counter("rows_examined"), returned: counter("rows_returned"),
            slow: counter("slow"))
    }

    private func record(_ measured: StoreMeasurements) {
        openReaders.record(measured.openReaderCount)
        logBytes.record(measured.logBytes)
        cacheBytes.record(measured.cacheBytes)
        let last = state.withLock { state in
            defer { state.last = measured }
            return state.last
        }
        cacheHits.increment(by: measured.cacheHitCount - (last?.cacheHitCount ?? 0))
        cacheMisses.increment(by: measured.cacheMissCount - (last?.cacheMissCount ?? 0))
        liveAdvances.increment(
            by: measured.liveQueryAdvanceCount - (last?.liveQueryAdvanceCount ?? 0))
        for (name, lag) in measured.consumerLags { gauge(ofConsumer: name).record(lag) }
    }

    private func gauge(ofConsumer name: String) -> Gauge {
        state.withLock { state in
            if let known = state.consumers[name] { return known }
            let made = Gauge(
                label: "daybook_consumer_lag", dimensions: [("store", store), ("consumer", name)],
                factory: factory)
            state.consumers[name] = made
            return made
        }
    }
}

extension Timer {
    /// Records a duration in nanoseconds.
    fileprivate func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (nanoseconds, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        recordNanoseconds(isOver ? .max : nanoseconds + attoseconds / 1_000_000_000)
    }
}
#endif
