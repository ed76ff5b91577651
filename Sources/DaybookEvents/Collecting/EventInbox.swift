public import Daybook
import DaybookBytes
import DaybookEngine
import DaybookRows
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Appends the events of other stores to a store that collects them, each event once.
///
/// ```swift
/// let store = try Store(path: path, entities: [Reading.self] + EventInbox.entities)
/// let inbox = try EventInbox(store)
/// try inbox.append(try EventBatch(decoding: bytes))
/// ```
///
/// The store keeps an ``EventSource`` for each other store. An event's identity is that of its
/// store, its commit, and its number within the commit; events before the place of their source
/// are skipped. So a batch may arrive any number of times, and after a crash the sender may send
/// the last ones again.
///
/// The batch names its store. If a batch comes from a device that you do not trust, compare
/// ``EventBatch/store`` with the identity that the device may use, before you append it.
///
/// The metadata of a commit are those of the commit in the other store, and three reserved pairs:
/// `daybook.source` is the identity of that store, `daybook.sourceCommits` the commits that the
/// commit contains, and `daybook.sourceTime` the time of the last of them. Consecutive commits with
/// equal metadata become one.
public struct EventInbox: Sendable {
    /// The types that a collecting store needs in addition to its events.
    public static let entities: [any Storable.Type] = [EventSource.self, RejectedEvent.self]

    private let store: Store

    /// Creates an inbox. Throws `.entityNotRegistered` if the store was opened without
    /// ``entities``, and `.closed`.
    public init(_ store: Store) throws {
        self.store = store
        _ = try store.box(for: EventSource.self).count()
        _ = try store.box(for: RejectedEvent.self).count()
    }

    /// Appends the events of a batch that the store does not have yet.
    ///
    /// A failed call may have appended the events of some commits; another call continues. Do not
    /// call it in a write transaction, which would become the commit of all of them. Throws the
    /// errors of ``Daybook/Store/write(metadata:_:)``. An event that does not fit its type is no
    /// error: see ``RejectedEvent``.
    @discardableResult
    public func append(_ batch: EventBatch) throws -> EventInboxReport {
        var report = EventInboxReport()
        for group in try InboxGroup.groups(of: batch) { try append(group, &report) }
        return report
    }

    /// The state of another store's events; nil if there is none yet.
    public func source(_ store: String) throws -> EventSource? {
        try self.store.box(for: EventSource.self).get(key: store)
    }

    private func append(_ group: InboxGroup, _ report: inout EventInboxReport) throws {
        var counts = EventInboxReport()
        let isKnown = try source(group.store).map { $0.place >= group.end } ?? false
        if isKnown {
            report.duplicateCount += group.eventCount
            return
        }
        // The commit describes its origin, and not the task that collects.
        try CommitMetadata.$current.withValue(nil) {
            try store.engine.write(metadata: group.metadata) { transaction in
                transaction.note(group.note)
                counts = try append(group, in: transaction)
            }
        }
        report.add(counts)
    }

    private func append(
        _ group: InboxGroup, in transaction: WriteTransaction
    ) throws -> EventInboxReport {
        var counts = EventInboxReport()
        let sources = store.box(for: EventSource.self)
        var source = EventSource(group.store, at: .start)
        if let known = try sources.get(key: group.store) {
            source = known
            if let previous = group.previous, previous > known.place {
                source.gapCount += 1
                counts.gapCount = 1
            }
        }
        var forms = InboxForms(store.engine.schemas)
        for commit in group.commits {
            for event in commit.events {
                let isKnown =
                    source.place
                    >= EventPosition(sequence: commit.sequence, index: event.index)
                if isKnown {
                    counts.duplicateCount += 1
                    continue
                }
                if let reason = try forms.append(event, to: transaction) {
                    try reject(event, of: commit, in: group, reason)
                    counts.rejectedCount += 1
                } else {
                    counts.appendedCount += 1
                }
            }
            source.lastCommitDate = commit.date
        }
        source.lastCollectionDate = Date()
        source.place = max(source.place, group.end)
        source.eventCount += counts.appendedCount
        source.rejectedCount += counts.rejectedCount
        try sources.put(source)
        return counts
    }

    private func reject(
        _ event: EventCommit.Event, of commit: EventCommit, in group: InboxGroup,
        _ reason: String
    ) throws {
        try store.box(for: RejectedEvent.self).put(
            RejectedEvent(
                store: group.store, sequence: commit.sequence, index: event.index,
                commitMicroseconds: commit.timeMicroseconds, entityName: event.entityName,
                values: JSONValue.text(ofRead: .map(event.members)),
                metadata: commit.metadata, reason: reason))
    }

    /// Appends the rejected events that fit their types now, and removes their ``RejectedEvent``.
    /// Returns their number.
    ///
    /// Call it after an update of the program. Each event has a commit of its own. Throws the
    /// errors of ``Daybook/Store/write(metadata:_:)``; a call that failed may be repeated.
    @discardableResult
    public func retryRejected() throws -> Int {
        let rejected = store.box(for: RejectedEvent.self)
        var count = 0
        for id in try rejected.query().build().findIds() {
            guard let event = try rejected.get(id), try retry(event) else { continue }
            count += 1
        }
        return count
    }

    /// Whether an event could be appended.
    private func retry(_ rejected: RejectedEvent) throws -> Bool {
        try CommitMetadata.$current.withValue(nil) {
            try store.engine.write(metadata: rejected.metadata) { transaction in
                try retry(rejected, in: transaction)
            }
        }
    }

    private func retry(
        _ rejected: RejectedEvent, in transaction: WriteTransaction
    ) throws -> Bool {
        // Another call may have appended it meanwhile.
        let box = store.box(for: RejectedEvent.self)
        guard try box.get(rejected.entityId) == rejected else { return false }
        guard let members = rejected.members else { return false }
        let event = EventCommit.Event(
            index: rejected.index, entityName: rejected.entityName, members: members)
        var forms = InboxForms(store.engine.schemas)
        guard try forms.append(event, to: transaction) == nil else { return false }
        transaction.note(
            SourceNote(
                store: rejected.store, commits: rejected.sequence...rejected.sequence,
                timeMicroseconds: rejected.commitMicroseconds))
        try box.remove(rejected.entityId)
        let sources = store.box(for: EventSource.self)
        guard var source = try sources.get(key: rejected.store) else { return true }
        source.eventCount += 1
        source.rejectedCount -= 1
        try sources.put(source)
        return true
    }
}
