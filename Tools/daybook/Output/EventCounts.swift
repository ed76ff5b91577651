import DaybookBytes
import DaybookEngine
import DaybookRecords

/// Runs `replay --stats`: writes one line per entity or relation and operation, and one total line.
struct EventCounts {
    let engine: Engine
    let run: CommandRun

    private struct Key: Hashable {
        var entity: UInt32
        var relation: UInt32
        var kind: EventKind
    }

    /// The counts of one kind of event.
    private struct Count {
        var entityName: String?
        var relationName: String?
        var events = 0
        var bytes = 0
        var transactions = 0
        var first: TransactionMoment?
        var last: TransactionMoment?

        mutating func begin(_ transaction: HistoryTransaction) {
            let moment = transaction.moment
            guard last?.sequence != moment.sequence else { return }
            first = first ?? moment
            last = moment
            transactions += 1
        }

        mutating func add(_ event: HistoryEvent) {
            events += 1
            bytes += event.lengthBytes
        }
    }

    func write(_ range: HistoryRange, _ filter: EventFilter) throws(DaybookError) {
        var counts: [Key: Count] = [:]
        var all = Count()
        try engine.forEachTransaction(in: range, matching: filter, run.control) {
            transaction throws(DaybookError) in
            for index in 0..<transaction.eventCount {
                let event = transaction[index]
                let key = Key(entity: event.entity, relation: event.relation, kind: event.kind)
                var count = counts[key] ?? Count()
                if count.events == 0 {
                    count.entityName = try event.entityName
                    count.relationName = try event.relationName
                }
                count.begin(transaction)
                count.add(event)
                counts[key] = count
                all.begin(transaction)
                all.add(event)
            }
            return true
        }
        guard all.events > 0 else { return }
        for (key, count) in counts.sorted(by: { Self.precedes($0.key, $1.key) }) {
            try line(count) { text in
                if let name = count.entityName { text.member("entity", name) }
                if let name = count.relationName { text.member("relation", name) }
                text.member("op", key.kind.rawValue)
            }
        }
        try line(all) { $0.member("total", isTrue: true) }
    }

    private func line(_ count: Count, _ head: (inout JSONText) -> Void) throws(DaybookError) {
        try run.line { text throws(DaybookError) in
            text.beginObject()
            head(&text)
            text.member("events", count.events)
            text.member("transactions", count.transactions)
            text.member("bytes", count.bytes)
            Self.write(count.first, "first", to: &text)
            Self.write(count.last, "last", to: &text)
            text.endObject()
        }
    }

    private static func write(
        _ moment: TransactionMoment?, _ name: String, to text: inout JSONText
    ) {
        guard let moment else { return }
        text.member("\(name)Sequence", moment.sequence)
        text.name("\(name)Time")
        text.moment(microseconds: moment.timeMicroseconds)
    }

    /// Sorts entities before relations, each by number, and operations in the order of
    /// ``EventKind``.
    private static func precedes(_ left: Key, _ right: Key) -> Bool {
        let order = EventKind.allCases
        func rank(_ key: Key) -> (Int, UInt32, Int) {
            (
                key.entity == 0 ? 1 : 0, max(key.entity, key.relation),
                order.firstIndex(of: key.kind) ?? 0
            )
        }
        return rank(left) < rank(right)
    }
}
