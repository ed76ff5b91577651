package import DaybookBytes
import DaybookRecords
import DaybookLog

/// Reads the commits after a position in the history, one at a time: first the commits that the log
/// contains already, then the new ones. All are read from the log, so none is missing or repeated.
///
/// Memory: one frame, or the records of the current transaction. Each call checks the log for new
/// commits; ``CommitSignal`` notifies of new commits.
package struct ChangeReader {
    private typealias Transactions = LogTransactions<AcceptedRecords>

    private let engine: Engine
    /// Whether commits that are visible, but not durable, may be returned.
    private let includesUnsynced: Bool
    private let lookup: VersionLookup
    private let filter: EntityFilter?
    private let hasEvents: Bool
    /// The last commit that was returned or skipped.
    package private(set) var sequence: UInt64
    /// The number of commits that the filter skipped since the last returned one, and the last of
    /// them.
    private var passedCount = 0
    private var passed: CommitRecord?

    /// The rest of the initial state.
    private var state: StateIterator?
    /// The transactions after ``sequence``; nil while there are none.
    private var transactions: Transactions?
    /// A transaction that was read and not returned yet, because it was not announced.
    private var waiting: Transactions.Transaction?
    /// The position after the last whole transaction that was read.
    private var position: LogPosition?

    /// The number of skipped commits after which the reader returns an empty one with its position.
    package static let passedCountMax = 1000

    /// Begins after the commit `sequence`. With a filter, commits without accepted changes are
    /// skipped; the reader returns an empty commit after each ``passedCountMax`` of them, and when
    /// it has caught up and the last commits were skipped.
    ///
    /// Throws `.historyTruncated` if a compaction has dropped some of the changes that follow,
    /// `.historyOfAnotherStore` for a sequence that this store has not reached, `.closed`.
    ///
    /// - Parameters:
    ///   - includesUnsynced: whether commits that are visible, but not durable, are returned, too.
    ///   - hasEvents: whether commits contain their events.
    package init(
        _ engine: Engine, after sequence: UInt64, matching filter: EntityFilter? = nil,
        includesUnsynced: Bool = false, hasEvents: Bool = true
    ) throws(DaybookError) {
        try engine.requireOpen()
        self.includesUnsynced = includesUnsynced
        self.hasEvents = hasEvents
        self.engine = engine
        self.sequence = sequence
        self.filter = filter
        lookup = VersionLookup(engine)
        try engine.requireReached(sequence)
        position = engine.log.end(at: sequence)
        // A truncated history is an error of the initializer, not of the first commit.
        _ = try engine.log.scan(after: sequence, at: position)
    }

    /// Begins with the newest durable version: all living objects as inserts, then all links as
    /// added, in parts that are marked as state (``CommitChanges/isState``). The commits after that
    /// version follow. Use it if the history after a position no longer exists.
    ///
    /// - Parameter sequence: the position from which a consumer that stops within the state
    ///   resumes: its position before the state.
    ///
    /// Cost: a sync if the version is not durable yet. Throws `.durabilityUnknown` and `.closed`.
    package init(
        _ engine: Engine, withStateInsteadOf sequence: UInt64,
        matching filter: EntityFilter? = nil
    ) throws(DaybookError) {
        let (view, commit) = try engine.durableView()
        includesUnsynced = false
        self.engine = engine
        self.sequence = commit.sequence
        self.filter = filter
        hasEvents = true
        lookup = VersionLookup(engine)
        let end = engine.log.end(at: commit.sequence)
        // Retains the segments, so that no compaction drops changes while the state is read.
        transactions = Self.transactions(
            try engine.log.scan(after: commit.sequence, at: end), after: commit.sequence, engine,
            filter, hasEvents: true)
        state = StateIterator(
            view, commit, engine.schemas.schema, filter, resumeSequence: sequence, lookup)
    }

    /// Returns the next commit, or nil if the reader has reached the end of the announced commits.
    ///
    /// Cost: a read of a frame, if the commit begins one. Throws `.historyTruncated` if a
    /// compaction has dropped changes that the reader has not reached, `.corruption` and `.closed`.
    /// After an error, the position of the reader is unchanged.
    package mutating func next() throws(DaybookError) -> CommitChanges? {
        try engine.requireOpen()
        if let part = try state?.next() { return part }
        state = nil
        let signal = includesUnsynced ? engine.visibleCommitSignal : engine.commitSignal
        let last = signal.sequence
        while sequence < last {
            guard let next = waiting else {
                waiting = try nextTransaction(last)
                continue
            }
            // The log contains it already; the signal follows a moment later.
            guard next.commit.sequence <= last else { break }
            let all = CommitChanges(next.commit, next.contents.records, lookup)
            let commit = try filter?.wanted(of: all, engine.schemas) ?? all
            waiting = nil
            sequence = commit.sequence
            if filter == nil || !commit.isEmpty {
                passed = nil
                passedCount = 0
                return commit
            }
            passed = next.commit
            passedCount += 1
            if passedCount >= Self.passedCountMax { return givePassed() }
        }
        // A reader that waits for the next commit must not retain replaced segments.
        if waiting == nil, transactions?.hasBufferedTransactions == false { transactions = nil }
        return givePassed()
    }

    private mutating func givePassed() -> CommitChanges? {
        guard let commit = passed else { return nil }
        passed = nil
        passedCount = 0
        return CommitChanges(commit, lookup: lookup)
    }

    /// Returns the next transaction. The log must contain one up to `last`.
    private mutating func nextTransaction(
        _ last: UInt64
    ) throws(DaybookError) -> Transactions.Transaction {
        do throws(DaybookError) {
            if let next = try transactions?.next() {
                position = transactions?.position ?? position
                return next
            }
            var fresh = Self.transactions(
                try engine.log.scan(after: sequence, at: position), after: sequence, engine, filter,
                hasEvents: hasEvents)
            guard let next = try fresh.next() else { throw Self.lost(sequence, last) }
            position = fresh.position ?? position
            transactions = fresh
            return next
        } catch {
            // The next call reads the transaction again, from a position that is known to be good.
            transactions = nil
            throw error
        }
    }

    private static func transactions(
        _ scanner: LogScanner, after sequence: UInt64, _ engine: Engine, _ filter: EntityFilter?,
        hasEvents: Bool
    ) -> Transactions {
        let schemas = engine.schemas
        return LogTransactions(
            LogFrames(scanner, after: sequence),
            AcceptedRecords { record in
                guard EventKind(record.kind) != nil, hasEvents || record.kind != .event else {
                    return false
                }
                return filter?.accepts(record, schemas) ?? true
            })
    }

    private static func lost(_ sequence: UInt64, _ last: UInt64) -> DaybookError {
        DaybookError(
            .corruption,
            "The log ends at sequence \(sequence), but commits up to \(last) were announced. Run"
                + " 'daybook verify' on the store.",
            details: ["sequence": String(sequence), "lastSequence": String(last)])
    }
}

extension CommitChanges {
    /// The changes of the records of one transaction.
    init(
        _ commit: CommitRecord, _ records: [LogRecord], _ lookup: VersionLookup
    ) {
        var objects: [ObjectChange] = []
        var links: [LinkChange] = []
        for held in records {
            if let change = ObjectChange(held, commit.sequence) { objects.append(change) }
            if let change = LinkChange(held) { links.append(change) }
        }
        self.init(commit, objects: objects, links: links, lookup: lookup)
    }
}

extension ObjectChange {
    /// The change of an object; nil for a record that changes no object.
    fileprivate init?(_ held: LogRecord, _ sequence: UInt64) {
        let record = held.record
        let kind: ChangeKind
        switch record.kind {
        case .put: kind = record.previous == 0 ? .insert : .update
        case .remove: kind = .remove
        case .event: kind = .event
        default: return nil
        }
        self.init(
            kind: kind, entity: record.entity, id: record.id,
            after: kind == .remove ? nil : StoredRow(held, sequence), previous: record.previous)
    }
}

extension LinkChange {
    /// The change of a link; nil for a record that changes no link.
    fileprivate init?(_ held: LogRecord) {
        let record = held.record
        let isLink: Bool
        switch record.kind {
        case .link, .listInsert: isLink = true
        case .unlink, .listRemove: isLink = false
        default: return nil
        }
        let isListed = record.kind == .listInsert || record.kind == .listRemove
        self.init(
            isLink: isLink, relation: record.relation, source: record.source,
            target: record.target,
            position: isListed ? held.payload.span.extracting(record.position).array : nil)
    }
}
