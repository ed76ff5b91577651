import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookMaintenance

/// Runs `replay --events`: writes one line per event.
struct EventLines {
    let engine: Engine
    let run: CommandRun

    /// Writes the events of a range, without those of transactions up to `sequence`.
    func write(
        _ range: HistoryRange, _ filter: EventFilter, limit: Int, after sequence: UInt64 = 0,
        showsProgress: Bool = true
    ) throws(DaybookError) {
        let names = EventNames()
        var control = run.control
        if !showsProgress { control.progress = { _ in } }
        try engine.forEachTransaction(in: range, matching: filter, control) {
            transaction throws(DaybookError) in
            guard transaction.sequence > sequence else { return true }
            let time =
                transaction.eventCount > 0
                ? JSONText.momentText(microseconds: transaction.timeMicroseconds) : nil
            for index in 0..<transaction.eventCount {
                guard run.lineCount < limit else { return false }
                try run.line { text throws(DaybookError) in
                    try Self.write(transaction[index], of: transaction, time, names, to: &text)
                }
            }
            return run.lineCount < limit
        }
    }

    private static func write(
        _ event: HistoryEvent, of transaction: HistoryTransaction, _ time: String?,
        _ names: EventNames, to text: inout JSONText
    ) throws(DaybookError) {
        text.beginObject()
        text.member("sequence", transaction.sequence)
        text.name("time")
        if let time {
            text.string(time)
        } else {
            text.moment(microseconds: transaction.timeMicroseconds)
        }
        if !transaction.metadata.isEmpty {
            text.name("metadata")
            text.beginObject()
            for (key, value) in transaction.metadata.sorted(by: { $0.key < $1.key }) {
                text.member(key, value)
            }
            text.endObject()
        }
        text.member("op", event.kind.rawValue)
        switch event.kind {
        case .put, .remove:
            text.member("entity", try names.entity(of: event))
            text.member("id", event.id)
            text.name("previous")
            event.previous == 0 ? text.null() : text.integer(event.previous)
        case .event:
            text.member("entity", try names.entity(of: event))
            text.member("id", event.id)
        case .link, .unlink:
            text.member("relation", try names.relation(of: event))
            text.member("source", event.source)
            text.member("target", event.target)
            if let position = event.position { text.member("position", hexadecimal: position) }
        }
        if event.kind == .put || event.kind == .event {
            text.member("layout", event.layout)
            text.name("row")
            try event.appendRow(to: &text)
        }
        text.endObject()
    }
}

/// Caches the names of entities and relations.
final class EventNames {
    private var entities: [UInt32: String] = [:]
    private var relations: [UInt32: String] = [:]

    func entity(of event: HistoryEvent) throws(DaybookError) -> String {
        if let name = entities[event.entity] { return name }
        let name = try event.entityName ?? ""
        entities[event.entity] = name
        return name
    }

    func relation(of event: HistoryEvent) throws(DaybookError) -> String {
        if let name = relations[event.relation] { return name }
        let name = try event.relationName ?? ""
        relations[event.relation] = name
        return name
    }
}
