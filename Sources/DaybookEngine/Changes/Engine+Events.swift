package import DaybookBytes
import DaybookRecords
import DaybookLog

extension Engine {
    /// Walks the transactions of a range in the order of time, one frame in memory at a time, and
    /// gives each whose metadata are wanted to `visit` with the events that the filter lets
    /// through, until that returns false.
    ///
    /// Without a `from` it begins with what compaction left: see ``historyFloor``. At
    /// ``Durability/always`` it ends with the last durable transaction. Cost: a read of the
    /// log from near `from` on; twice where `until` is a time. Throws `.historyTruncated` for a
    /// `from` below the floor, `.invalidArgument` for an entity that the store does not have,
    /// `.interrupted`, `.corruption`, and what `visit` throws.
    package func forEachTransaction(
        in range: HistoryRange = HistoryRange(), matching filter: EventFilter = EventFilter(),
        _ control: OperationControl = OperationControl(),
        _ visit: (HistoryTransaction) throws(DaybookError) -> Bool
    ) throws(DaybookError) {
        try requireOpen()
        let recordFilter = try recordFilter(filter)
        guard let sequences = try sequences(of: range, control) else { return }
        var transactions = LogTransactions(
            LogFrames(
                try log.scan(fromSequence: sequences.lowerBound), after: sequences.lowerBound - 1,
                until: sequences.upperBound, progress: LogProgress(log)),
            AcceptedRecords { recordFilter.accepts($0) })
        while let transaction = try transactions.next(control) {
            let commit = transaction.commit
            guard filter.accepts(commit.metadata) else { continue }
            let continues = try visit(
                HistoryTransaction(
                    sequence: commit.sequence, timeMicroseconds: commit.timeMicroseconds,
                    metadata: commit.metadata, records: transaction.contents.records,
                    schemas: schemas))
            guard continues else { return }
        }
    }

    /// History below this sequence may have gaps, for a compaction dropped what was superseded
    /// there.
    package var historyFloor: UInt64 { log.manifest.historyFloor }

    /// The filter in the numbers of the log.
    func recordFilter(_ filter: EventFilter) throws(DaybookError) -> RecordFilter {
        RecordFilter(
            entity: try filter.entity.map { name throws(DaybookError) in try entityNumber(name) },
            id: filter.id, kinds: filter.kinds, schemas: schemas)
    }

    /// The number of an entity that has a name, or else had it once. Throws `.invalidArgument`,
    /// naming those that there are.
    func entityNumber(_ name: String) throws(DaybookError) -> UInt32 {
        let schema = schemas.schema
        if let entity = schema.entity(named: name) ?? schema.entity(onceNamed: name) {
            return entity.id
        }
        let names = schema.entities.map(\.name).sorted().joined(separator: ", ")
        throw DaybookError(
            .invalidArgument,
            names.isEmpty
                ? "The store has no entity '\(name)'; it has none at all yet."
                : "The store has no entity '\(name)'. It has: \(names).",
            details: ["entity": name])
    }
}
