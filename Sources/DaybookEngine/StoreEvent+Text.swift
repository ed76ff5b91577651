import DaybookBytes

extension StoreEvent: CustomStringConvertible {
    /// A stable name in lower case, such as `snapshot-written`, to select events in a log.
    public var name: String {
        switch self {
        case .opened: "opened"
        case .closed: "closed"
        case .snapshotWritten: "snapshot-written"
        case .compacted: "compacted"
        case .indexesBuilt: "indexes-built"
        case .expiredObjectsRemoved: "expired-objects-removed"
        case .backgroundFailed: "background-failed"
        case .indexesRebuilt: "indexes-rebuilt"
        case .stopped: "stopped"
        case .slowQuery: "slow-query"
        case .slowCommit: "slow-commit"
        case .slowLockWait: "slow-lock-wait"
        case .slowRefresh: "slow-refresh"
        case .slowConsumer: "slow-consumer"
        case .committed: "committed"
        case .synced: "synced"
        case .queried: "queried"
        case .refreshed: "refreshed"
        case .measured: "measured"
        case .eventsDropped: "events-dropped"
        }
    }

    /// The importance of the event. An opening that repaired or tolerated damage is a warning.
    public var level: Level {
        switch self {
        case .opened(let report, _): report.foundDamage ? .warning : .info
        case .closed, .compacted, .indexesBuilt, .expiredObjectsRemoved: .info
        case .snapshotWritten: .debug
        case .slowQuery, .slowCommit, .slowLockWait, .slowRefresh, .slowConsumer: .warning
        case .indexesRebuilt, .eventsDropped: .warning
        case .backgroundFailed: .error
        case .stopped: .critical
        case .committed, .synced, .queried, .refreshed, .measured: .debug
        }
    }

    /// A sentence for people. Its wording may change between releases.
    public var message: String {
        switch self {
        case .opened(let report, _):
            report.isNew
                ? "The store was created." : "The store was opened at sequence \(report.sequence)."
        case .closed: "The store was closed."
        case .snapshotWritten(let sequence, _, _):
            "A snapshot of the indexes at sequence \(sequence) was written."
        case .compacted(let report, let cause, _):
            "The log was compacted (\(cause.rawValue)): \(report.segments.count) segments were"
                + " rewritten, \(report.droppedRecordCount) records dropped."
        case .indexesBuilt: "Indexes over existing objects were built."
        case .expiredObjectsRemoved(let count, _): "\(count) expired objects were removed."
        case .backgroundFailed(let task, let error):
            "Work in the background (\(task.rawValue)) failed: \(error.message)"
        case .indexesRebuilt:
            "A snapshot is damaged, so the indexes were rebuilt from the log. No data is lost."
        case .stopped(let error): "The store accepts no more writes: \(error.message)"
        case .slowQuery(let query):
            "A query of \(query.entity) was slow: \(query.rowsExamined) rows were examined,"
                + " \(query.rowsReturned) returned."
        case .slowCommit(let commit): "Commit \(commit.sequence) was slow."
        case .slowLockWait: "A transaction waited long for other writers."
        case .slowRefresh(let count, _): "A refresh that read \(count) commits was slow."
        case .slowConsumer(let name, let count):
            "The consumer '\(name)' has not acknowledged \(count) commits."
        case .committed(let commit): "Commit \(commit.sequence) was made."
        case .synced: "The log was synced."
        case .queried(let query): "A query of \(query.entity) was run."
        case .refreshed(let count, _): "\(count) commits of the writer were read."
        case .measured(let measured): "The store is at sequence \(measured.sequence)."
        case .eventsDropped(let count):
            "\(count) events were dropped, because the handlers were too slow."
        }
    }

    /// The names and numbers of the event as text. Durations are in seconds.
    public var details: [String: String] {
        var pairs = content
        if let duration { pairs["seconds"] = duration.secondsText }
        return pairs
    }

    /// The message and the details, in one line, except that a plan follows on further lines.
    public var description: String {
        let pairs = details.filter { $0.key != "plan" }.sorted { $0.key < $1.key }
        let text = pairs.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        let plan = details["plan"].map { "\n" + $0 } ?? ""
        return text.isEmpty ? message : "\(message) \(text)\(plan)"
    }

    private var content: [String: String] {
        switch self {
        case .closed, .indexesBuilt, .indexesRebuilt, .slowLockWait, .synced: [:]
        case .opened(let report, _): report.details
        case .snapshotWritten(let sequence, let lengthBytes, _):
            ["sequence": String(sequence), "bytes": String(lengthBytes)]
        case .compacted(let report, let cause, _): report.details(cause)
        case .expiredObjectsRemoved(let count, _), .eventsDropped(let count):
            ["count": String(count)]
        case .backgroundFailed(let task, let error):
            error.details.merging(["task": task.rawValue, "code": error.code.rawValue]) { $1 }
        case .stopped(let error): error.details.merging(["code": error.code.rawValue]) { $1 }
        case .slowQuery(let query), .queried(let query): query.details
        case .slowCommit(let commit), .committed(let commit): commit.details
        case .slowRefresh(let count, _), .refreshed(let count, _): ["commits": String(count)]
        case .slowConsumer(let name, let count):
            ["consumer": name, "commits": String(count)]
        case .measured(let measured): measured.details
        }
    }

    private var duration: Duration? {
        switch self {
        case .opened(_, let duration), .snapshotWritten(_, _, let duration),
            .compacted(_, _, let duration), .indexesBuilt(let duration),
            .expiredObjectsRemoved(_, let duration), .indexesRebuilt(let duration),
            .slowLockWait(let duration), .slowRefresh(_, let duration),
            .refreshed(_, let duration), .synced(let duration):
            duration
        case .slowQuery(let query), .queried(let query): query.duration
        case .slowCommit(let commit), .committed(let commit): commit.duration
        default: nil
        }
    }
}

extension OpeningReport {
    /// Whether the opening repaired, rejected or tolerated damage.
    fileprivate var foundDamage: Bool {
        quarantinedBytes > 0 || !rejectedSnapshots.isEmpty || !incompleteIndexes.isEmpty
            || !toleratedDamage.isEmpty || !orphanedFiles.isEmpty
    }

    fileprivate var details: [String: String] {
        var pairs = [
            "sequence": String(sequence), "replayedChanges": String(replayedChangeCount),
            "closedCleanly": String(wasClosedCleanly),
        ]
        if let snapshotSequence { pairs["snapshot"] = String(snapshotSequence) }
        if quarantinedBytes > 0 { pairs["quarantinedBytes"] = String(quarantinedBytes) }
        if let quarantinedFile { pairs["quarantinedFile"] = quarantinedFile }
        if rewrittenFrameCount > 0 { pairs["rewrittenFrames"] = String(rewrittenFrameCount) }
        let lists = [
            "rejectedSnapshots": rejectedSnapshots, "incompleteIndexes": incompleteIndexes,
            "toleratedDamage": toleratedDamage, "orphanedFiles": orphanedFiles,
            "possibleRenames": possibleRenames,
        ]
        for (name, list) in lists where !list.isEmpty { pairs[name] = list.joined(separator: "; ") }
        return pairs
    }
}

extension CompactionReport {
    fileprivate func details(_ cause: StoreEvent.CompactionCause) -> [String: String] {
        var pairs = [
            "cause": cause.rawValue, "segments": String(segments.count),
            "droppedRecords": String(droppedRecordCount), "bytesBefore": String(bytesBefore),
            "historyFloor": String(historyFloor), "heldBytes": String(heldBytes),
        ]
        if let bytesAfter { pairs["bytesAfter"] = String(bytesAfter) }
        if !retainingConsumers.isEmpty {
            pairs["retainingConsumers"] = retainingConsumers.joined(separator: ", ")
        }
        return pairs
    }
}

extension Duration {
    /// The seconds with six decimals.
    package var secondsText: String {
        let (seconds, attoseconds) = components
        let microseconds = String(abs(attoseconds) / 1_000_000_000_000)
        let sign = seconds == 0 && attoseconds < 0 ? "-" : ""
        return "\(sign)\(seconds)."
            + String(repeating: "0", count: max(0, 6 - microseconds.count)) + microseconds
    }

    /// The time since an instant; zero without one.
    package static func since(_ start: ContinuousClock.Instant?) -> Duration {
        start?.duration(to: .now) ?? .zero
    }
}
