package import DaybookBytes
import DaybookRecords
import DaybookLog

/// Reads the commits behind a place in the history, one at a time: first those that are in the log,
/// then those that come, with no gap and no duplicate between, for it is all one log.
///
/// It holds one frame, or the transaction that it is in, and goes at the pace of its reader. It
/// looks for more in the log with each call; ``CommitSignal`` says when that is worth while.
package struct ChangeReader {
    private struct Ended {
        var commit: CommitRecord
        var records: [HeldRecord]
    }

    private let engine: Engine
    private let finder: VersionFinder
    private let filter: EntityFilter?
    /// The last commit that was given or passed over.
    package private(set) var sequence: UInt64
    /// Commits without anything wanted since the last that was given, and the last of them.
    private var passedCount = 0
    private var passed: CommitRecord?

    /// What is left of the state that the reader began with.
    private var state: StateWalk?
    private var scanner: LogScanner?
    /// Behind the last whole transaction that was read.
    private var place: LogPosition?
    /// The wanted records of the transaction under way.
    private var held: [HeldRecord] = []
    /// Transactions of the last frame that are still to be given.
    private var ended: ArraySlice<Ended> = []

    /// After so many commits without anything wanted an empty one tells how far the reader is.
    package static let passedCountMax = 1000

    /// Begins behind the commit `sequence`. With a filter, commits without anything wanted are
    /// passed over; an empty one is given after each ``passedCountMax`` of them, and where the
    /// reader has caught up behind some.
    ///
    /// Throws `.historyTruncated` where a compaction has dropped some of what follows,
    /// `.historyOfAnotherStore` for a sequence that this store has not reached, `.closed`.
    package init(
        _ engine: Engine, after sequence: UInt64, matching filter: EntityFilter? = nil
    ) throws(DaybookError) {
        try engine.requireOpen()
        self.engine = engine
        self.sequence = sequence
        self.filter = filter
        finder = VersionFinder(engine)
        try engine.requireReached(sequence)
        place = engine.log.end(at: sequence)
        // Whether all that follows is there is better said now than with the first commit.
        _ = try engine.log.scan(after: sequence, at: place)
    }

    /// Begins with the newest durable version: all living objects as inserts, then all links as
    /// made, in parts that say so (``CommitChanges/isState``); then the commits behind it. For whom
    /// the history that was to follow is gone.
    ///
    /// - Parameter sequence: where whoever stops half way through the state goes on from: where it
    ///   was before.
    ///
    /// Cost: a sync, where the version is not durable yet. Throws `.durabilityUnknown`, `.closed`.
    package init(
        _ engine: Engine, withStateInsteadOf sequence: UInt64,
        matching filter: EntityFilter? = nil
    ) throws(DaybookError) {
        let (view, commit) = try engine.durableView()
        self.engine = engine
        self.sequence = commit.sequence
        self.filter = filter
        finder = VersionFinder(engine)
        // Held from here on, so that no compaction overtakes the reader on the way.
        scanner = try engine.log.scan(
            after: commit.sequence, at: engine.log.end(at: commit.sequence))
        state = StateWalk(
            view, commit, engine.schemas.schema, filter, resumeSequence: sequence, finder)
    }

    /// The next commit, or nil where the reader has caught up with what is durable and visible.
    ///
    /// Cost: a read of a frame, where the commit begins one. Throws `.historyTruncated` where a
    /// compaction has overtaken the reader, `.corruption`, `.closed`. After an error the reader
    /// stands where it stood before.
    package mutating func next() throws(DaybookError) -> CommitChanges? {
        try engine.requireOpen()
        if let part = try state?.next() { return part }
        state = nil
        let last = engine.commitSignal.sequence
        while sequence < last {
            guard let next = ended.first else {
                try readFrame(last)
                continue
            }
            // It is in the log already, and told a moment later.
            guard next.commit.sequence <= last else { break }
            let all = CommitChanges(next.commit, next.records, finder)
            let commit = try filter?.wanted(of: all, engine.schemas) ?? all
            ended.removeFirst()
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
        // Whoever waits for the next commit keeps no segment from being let go.
        if ended.isEmpty { scanner = nil }
        return givePassed()
    }

    private mutating func givePassed() -> CommitChanges? {
        guard let commit = passed else { return nil }
        passed = nil
        passedCount = 0
        return CommitChanges(commit, finder: finder)
    }

    /// Takes the transactions that end in the next frame.
    private mutating func readFrame(_ last: UInt64) throws(DaybookError) {
        do throws(DaybookError) {
            if let frame = try scanner?.next() { return try take(frame) }
            var fresh = try engine.log.scan(after: sequence, at: place)
            held = []
            guard let frame = try fresh.next() else { throw Self.lost(sequence, last) }
            scanner = fresh
            try take(frame)
        } catch {
            // What was half read is read again, from a place that is known to be good.
            scanner = nil
            held = []
            throw error
        }
    }

    private mutating func take(_ frame: LogScanner.Frame) throws(DaybookError) {
        guard frame.header.lastSequence > sequence else { return }
        let payload = frame.payload
        var found: [Ended] = []
        var records = held
        var reader = RecordReader(payload.span)
        while let record = try reader.next() {
            if record.kind == .commit {
                let commit = try CommitRecord(decoding: payload.span.extracting(record.body))
                if commit.sequence > sequence {
                    found.append(Ended(commit: commit, records: records))
                }
                records.removeAll()
            } else if isWanted(record) {
                records.append(HeldRecord(record: record, payload: payload))
            }
        }
        held = records
        ended = found[...]
        if frame.header.endsTransaction { place = frame.next }
    }

    private func isWanted(_ record: Record) -> Bool {
        guard EventKind(record.kind) != nil else { return false }
        return filter?.accepts(record, engine.schemas) ?? true
    }

    private static func lost(_ sequence: UInt64, _ last: UInt64) -> DaybookError {
        DaybookError(
            .corruption,
            "The log ends with sequence \(sequence), and commits up to \(last) were durable. Run"
                + " 'daybook verify' on the store.",
            details: ["sequence": String(sequence), "lastSequence": String(last)])
    }
}

extension CommitChanges {
    /// What records of one transaction say.
    init(
        _ commit: CommitRecord, _ records: [HeldRecord], _ finder: VersionFinder
    ) {
        var objects: [ObjectChange] = []
        var links: [LinkChange] = []
        for held in records {
            if let change = ObjectChange(held, commit.sequence) { objects.append(change) }
            if let change = LinkChange(held) { links.append(change) }
        }
        self.init(commit, objects: objects, links: links, finder: finder)
    }
}

extension ObjectChange {
    /// What a record says of an object; nil for one that says nothing of any.
    fileprivate init?(_ held: HeldRecord, _ sequence: UInt64) {
        let record = held.record
        let kind: Kind
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
    /// What a record says of a link; nil for one that says nothing of any.
    fileprivate init?(_ held: HeldRecord) {
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
