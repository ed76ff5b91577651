package import DaybookBytes
import DaybookLog
import DaybookRecords

extension Engine {
    /// Erases objects or values of objects from the store and from all its files; see
    /// ``ErasureFilter``. Readers and writers continue.
    ///
    /// One commit removes the objects, or clears the properties, and records the erasure. Then the
    /// segments with earlier versions are rewritten. If an error or an interruption ends the method
    /// after the commit, the next erasure, the next opening for writing or ``finishErasures(_:)``
    /// resumes the rest.
    ///
    /// - Parameters:
    ///   - metadata: the metadata of the commit.
    ///   - removesQuarantine: whether to remove the files in the quarantine, which may contain
    ///     versions of the objects.
    /// - Throws: before any change: `.invalidArgument` for an unknown entity or property, an entity
    ///   of events, a relation, a property of the primary key, and a quarantine with files unless
    ///   they are to be removed; `.relationDenied`, `.uniqueViolation`, `.readOnly`. Later:
    ///   `.interrupted`, `.corruption`, `.outOfSpace`, `.durabilityUnknown`, `.inputOutput`.
    package func erase(
        _ request: ErasureRequest, metadata: [String: String] = [:],
        removesQuarantine: Bool = false, _ control: OperationControl = OperationControl()
    ) throws -> ErasureReport {
        try requireNoWriteTransaction(for: "An erasure")
        try requireWritable()
        let entity = try entityNumber(request.entity)
        let properties = try propertyNumbers(request.properties, of: entity)
        let quarantine = try quarantinedFiles()
        guard quarantine.isEmpty || removesQuarantine else {
            throw Self.quarantineHasFiles(quarantine.count)
        }
        // The lock keeps the maintenance from finishing the erasure before this method does.
        return try compaction.withLock { _ in
            let bytesBefore = log.lengthBytes
            // The commit of the erasure is rewritten twice, so it begins a segment.
            try sealActiveSegment()
            var sequence: UInt64 = 0
            let records = try write(metadata: metadata) { transaction in
                sequence = nextSequence
                return try Self.erase(request.ids, properties, of: entity, in: transaction)
            }
            for name in quarantine { try log.fileSystem.remove(quarantinePath + "/" + name) }
            if !quarantine.isEmpty { try log.fileSystem.syncDirectory(quarantinePath) }
            var report = try finishErasuresLocked(control)
            report.sequence = records.isEmpty ? nil : sequence
            report.objectCounts = objectCounts(records)
            report.bytesBefore = bytesBefore
            report.bytesAfter = log.lengthBytes
            report.quarantineFileCount = quarantine.count
            return report
        }
    }

    /// Returns the report that `erase` would return now, without the resulting sizes. Changes
    /// nothing. Cost: a read of the log. Throws the errors of `erase` before any change except
    /// `.readOnly`, and `.corruption`.
    package func planErasure(
        _ request: ErasureRequest, _ control: OperationControl = OperationControl()
    ) throws -> ErasureReport {
        try requireNoWriteTransaction(for: "The plan of an erasure")
        try requireOpen()
        let entity = try entityNumber(request.entity)
        let properties = try propertyNumbers(request.properties, of: entity)
        let records = try writer.withLock { _ in
            let transaction = WriteTransaction(self)
            defer {
                transaction.changes.isOver = true
                transaction.abandon()
                transaction.changes.giveBackIds()
            }
            return try TransactionContext.run(self, .write(transaction)) {
                try Self.erase(request.ids, properties, of: entity, in: transaction)
            }
        }
        var report = ErasureReport()
        report.objectCounts = objectCounts(records)
        report.bytesBefore = log.lengthBytes
        report.quarantineFileCount = try quarantinedFiles().count
        let filter = ErasureFilter(records, at: log.lastSequence + 1, schemas.schema)
        try survey(log.entries, filter, .versions, control) { count in report.add(count) }
        return report
    }

    private static func erase(
        _ ids: [UInt64], _ properties: [UInt32], of entity: UInt32, in transaction: WriteTransaction
    ) throws(DaybookError) -> [ErasedRecord] {
        properties.isEmpty
            ? try transaction.erase(entity, ids)
            : try transaction.erase(properties, of: entity, ids)
    }

    private func objectCounts(_ records: [ErasedRecord]) -> [String: Int] {
        let schema = schemas.schema
        var counts: [String: Int] = [:]
        for record in records {
            counts[schema.entity(record.entity)?.name ?? "", default: 0] += record.objects.count
        }
        return counts
    }

    // MARK: The quarantine

    private var quarantinePath: String {
        log.directory + "/" + StoreFileName.quarantine.text
    }

    /// The names of the files that recovery and repairs have set aside.
    private func quarantinedFiles() throws(DaybookError) -> [String] {
        guard try log.fileSystem.kind(of: quarantinePath) == .directory else { return [] }
        return try log.fileSystem.list(quarantinePath)
    }

    private static func quarantineHasFiles(_ count: Int) -> DaybookError {
        DaybookError(
            .invalidArgument,
            "The quarantine of the store has \(count) files that recovery set aside. They may"
                + " contain versions of the objects. Inspect them, then erase with"
                + " 'removingQuarantine: true', or with 'daybook erase --remove-quarantine'.",
            details: ["quarantineFileCount": String(count)])
    }

    // MARK: The record of erasures

    /// The erasures that the log records, in the order of their commits. Cost: a lookup in the log
    /// for each. Throws `.corruption` and `.closed`.
    package func erasures() throws(DaybookError) -> [Erasure] {
        try requireOpen()
        let known = trees.withLock { $0.applied.erasures.keys.sorted() }
        let schema = schemas.schema
        var erasures: [Erasure] = []
        for sequence in known {
            let (commit, records) = try erasedRecords(at: sequence)
            for record in records {
                let fields = schema.layouts.filter { $0.entityID == record.entity }
                    .flatMap(\.fields)
                let names = record.properties.compactMap { number in
                    fields.last { $0.propertyID == number }?.name
                }
                erasures.append(
                    Erasure(
                        sequence: sequence, timeMicroseconds: commit.timeMicroseconds,
                        metadata: commit.metadata,
                        entity: schema.entity(record.entity)?.name ?? "",
                        properties: Set(names).sorted(), objectCount: record.objects.count,
                        isFinished: record.isFinished))
            }
        }
        return erasures
    }

    /// The objects of the erasures that are not finished, by entities.
    package func objectsBeingErased() throws(DaybookError) -> [UInt32: Set<UInt64>] {
        var objects: [UInt32: Set<UInt64>] = [:]
        for sequence in unfinishedErasures {
            for record in try erasedRecords(at: sequence).records where record.properties.isEmpty {
                guard case .ids(let ids) = record.objects else { continue }
                objects[record.entity, default: []].formUnion(ids)
            }
        }
        return objects
    }

    /// The records of the erasure that a transaction made.
    func erasedRecords(
        at sequence: UInt64
    ) throws(DaybookError) -> (commit: CommitRecord, records: [ErasedRecord]) {
        let frames = LogFrames(
            try log.scan(fromSequence: sequence), after: sequence - 1, until: sequence)
        var transactions = LogTransactions(frames, AcceptedRecords { $0.kind == .erased })
        guard let found = try transactions.next() else {
            throw DaybookError(
                .corruption,
                "The log has no transaction \(sequence), which erased objects. Run 'daybook"
                    + " verify' on the store.", details: ["sequence": String(sequence)])
        }
        var records: [ErasedRecord] = []
        for held in found.contents.records {
            records.append(
                try ErasedRecord(decoding: held.payload.span.extracting(held.record.body)))
        }
        return (found.commit, records)
    }
}
