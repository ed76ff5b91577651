package import DaybookBytes
import DaybookRecords
import DaybookLog

extension Engine {
    /// Iterates over the transactions of a range in the order of the log and calls `visit` with
    /// each transaction whose metadata the filter accepts, and with its accepted events, until
    /// `visit` returns false. Memory: one frame.
    ///
    /// Without `from`, the range begins with the oldest history that remains: see ``historyFloor``.
    /// With ``Durability/always``, it ends with the last durable transaction. Cost: a read of the
    /// log from near `from`; two reads if `until` is a time. Throws `.historyTruncated` for a
    /// `from` below the floor, `.invalidArgument` for an unknown entity, `.interrupted`,
    /// `.corruption`, and the errors of `visit`.
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

    /// The sequence below which the history may have gaps, because a compaction dropped superseded
    /// records.
    package var historyFloor: UInt64 { log.manifest.historyFloor }

    /// The filter with the numeric identifiers of the log.
    func recordFilter(_ filter: EventFilter) throws(DaybookError) -> RecordFilter {
        RecordFilter(
            entity: try filter.entity.map { name throws(DaybookError) in try entityNumber(name) },
            id: filter.id, kinds: filter.kinds, schemas: schemas)
    }

    /// Returns the number of the entity that has a name now, or had it in the past. Throws
    /// `.invalidArgument` with the names of the existing entities.
    func entityNumber(_ name: String) throws(DaybookError) -> UInt32 {
        let schema = schemas.schema
        if let entity = schema.entity(named: name) ?? schema.entity(onceNamed: name) {
            return entity.id
        }
        let names = schema.entities.map(\.name).sorted().joined(separator: ", ")
        throw DaybookError(
            .invalidArgument,
            names.isEmpty
                ? "The store has no entity '\(name)'. It has no entities yet."
                : "The store has no entity '\(name)'. It has: \(names).",
            details: ["entity": name])
    }
}
