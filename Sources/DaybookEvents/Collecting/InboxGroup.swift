import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookRows
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Consecutive commits of a batch with equal metadata, which become one commit.
struct InboxGroup {
    let store: String
    /// The commits; at least one.
    private(set) var commits: [EventCommit]
    /// The end of the group or batch before; nil if it is unknown.
    let previous: EventPosition?
    private(set) var end: EventPosition

    private init(
        _ store: String, _ commits: [EventCommit], previous: EventPosition?, end: EventPosition
    ) {
        (self.store, self.commits) = (store, commits)
        (self.previous, self.end) = (previous, end)
    }

    var metadata: [String: String] { commits[0].metadata }
    var eventCount: Int { commits.reduce(0) { $0 + $1.events.count } }

    /// The origin of the commit.
    var note: SourceNote {
        let (first, last) = (commits[0], commits[commits.count - 1])
        return SourceNote(
            store: store, commits: first.sequence...last.sequence,
            timeMicroseconds: last.timeMicroseconds)
    }

    /// The commits of a batch in groups. The last one ends at the end of the batch.
    static func groups(of batch: EventBatch) throws(DaybookError) -> [InboxGroup] {
        var groups: [InboxGroup] = []
        for commit in try batch.commits() {
            if let last = groups.last, last.metadata == commit.metadata {
                groups[groups.count - 1].commits.append(commit)
            } else {
                groups.append(
                    InboxGroup(
                        batch.store, [commit], previous: groups.last?.end ?? batch.previous,
                        end: batch.start))
            }
            groups[groups.count - 1].end = .after(commit.sequence)
        }
        if !groups.isEmpty { groups[groups.count - 1].end = batch.end }
        return groups
    }
}

/// The forms of the types of events in a collecting store.
struct InboxForms {
    private let schemas: SchemaTable
    private var forms: [String: EventForm] = [:]

    init(_ schemas: SchemaTable) { self.schemas = schemas }

    /// Appends an event. Returns nil, or the reason why the event does not fit its type.
    mutating func append(
        _ event: EventCommit.Event, to transaction: WriteTransaction
    ) throws(DaybookError) -> String? {
        let form: EventForm
        let row: [UInt8]
        do throws(DaybookError) {
            form = try self.form(event.entityName)
            row = try form.row(of: event.members)
        } catch {
            guard Self.isRejection(error.code) else { throw error }
            return error.message
        }
        try transaction.changes.append(form.entity, layout: form.layoutID, row: row.span)
        return nil
    }

    private mutating func form(_ name: String) throws(DaybookError) -> EventForm {
        if let known = forms[name] { return known }
        let form = try EventForm(name, schemas)
        forms[name] = form
        return form
    }

    /// Whether an error concerns the event and its type, and not the store.
    private static func isRejection(_ code: DaybookError.Code) -> Bool {
        code == .invalidArgument || code == .invalidValue
    }
}

extension EventCommit {
    var date: Date { Date(timeIntervalSince1970: Double(timeMicroseconds) / 1_000_000) }
}

extension RejectedEvent {
    /// The values as they were read from the batch; nil if a program has changed the text to
    /// something else than a JSON object.
    var members: [String: RowValue]? {
        guard case .map(let members)? = try? JSONValue.read(values) else { return nil }
        return members
    }
}
