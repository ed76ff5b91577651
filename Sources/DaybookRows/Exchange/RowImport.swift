package import DaybookBytes
package import DaybookEngine
import DaybookRecords

/// Imports the records of a text into an entity, in one transaction.
package struct RowImport {
    private let entityName: String
    private let format: ExchangeFormat
    private let options: ImportOptions
    private let engine: Engine
    private let onProblem: (ImportProblem) throws(DaybookError) -> Void

    /// Ends the transaction of a dry run.
    private struct DryRun: Error {}

    /// - Parameter onProblem: called for each bad record; an error that it throws ends the import.
    package init(
        into entityName: String, _ format: ExchangeFormat, _ options: ImportOptions,
        _ engine: Engine,
        onProblem: @escaping (ImportProblem) throws(DaybookError) -> Void = { _ in }
    ) {
        self.onProblem = onProblem
        self.entityName = entityName
        self.format = format
        self.options = options
        self.engine = engine
    }

    /// The bytes that are read at once.
    private static let pieceBytes = 256 << 10

    /// Imports a file. Throws `.fileNotFound`, and as ``run(lengthBytes:_:from:)``.
    package func run(
        file path: String, in fileSystem: any FileSystem,
        _ control: OperationControl = OperationControl()
    ) throws -> ImportReport {
        let file = try fileSystem.open(path, .read)
        defer { file.close() }
        var offset = 0
        return try run(lengthBytes: try file.size(), control) { () throws(DaybookError) in
            let piece = try file.read(Self.pieceBytes, at: offset)
            offset += piece.count
            return piece
        }
    }

    /// Reads all records, then stores all objects and their links in one transaction.
    ///
    /// `read` returns the next piece of the text, and an empty piece at its end; `lengthBytes` is
    /// the length of the text for the progress, if it is known. Throws `.invalidValue` if a record
    /// is bad, after all of them were reported, and the errors of reading and writing. Memory: the
    /// encoded rows and about 150 bytes per object, and the links.
    package func run(
        lengthBytes: Int? = nil, _ control: OperationControl = OperationControl(),
        from read: @escaping () throws(DaybookError) -> [UInt8]
    ) throws -> ImportReport {
        var run = ImportRun(options: options, onProblem: onProblem)
        do {
            try engine.operate { transaction in
                let form = try RowForm(entityName, engine.schemas)
                let plan = try ImportPlan(form, options.columns, engine.schemas)
                var records = try ImportRecords(
                    ByteSource(read), format, plan, engine.schemas,
                    lengthBytesMax: options.recordLengthBytesMax)
                run.put = try RowPut(form)
                while try run.step(&records, transaction) {
                    guard run.report.recordCount & 255 == 0 else { continue }
                    try control.check()
                    if let lengthBytes, lengthBytes > 0 {
                        let fraction = Double(records.byteCount) / Double(lengthBytes)
                        control.progress(fraction)
                        options.progress?(fraction)
                    }
                }
                try run.link(transaction, control)
                if options.isDryRun { throw DryRun() }
                if let failure = run.failure { throw failure }
            }
        } catch is DryRun {}
        options.progress?(1)
        return run.report
    }
}

/// The state of an import.
private struct ImportRun {
    /// The links of an object, which are written after all objects.
    struct PendingLinks {
        var line: Int
        var id: UInt64
        var links: [ImportRecord.Links]
    }

    private let options: ImportOptions
    private let onProblem: (ImportProblem) throws(DaybookError) -> Void
    private(set) var report = ImportReport()
    var put: RowPut?
    private var pending: [PendingLinks] = []
    private var first: ImportProblem?
    /// The options of each put.
    private var putOptions = PutOptions(isAssignable: true)

    init(
        options: ImportOptions,
        onProblem: @escaping (ImportProblem) throws(DaybookError) -> Void
    ) {
        self.options = options
        self.onProblem = onProblem
    }

    /// The error of an import with bad records; nil without any.
    var failure: DaybookError? {
        first.map { first in
            DaybookError(
                .invalidValue,
                "Nothing was imported, because \(report.problemCount) of \(report.recordCount)"
                    + " records cannot be stored. The first is in line \(first.line):"
                    + " \(first.reason)",
                details: [
                    "line": String(first.line), "problems": String(report.problemCount),
                    "reason": first.reason,
                ])
        }
    }

    /// Stores the next record. Returns false at the end of the text.
    mutating func step(
        _ records: inout ImportRecords, _ transaction: WriteTransaction
    ) throws(DaybookError) -> Bool {
        let savepoint = transaction.savepoint()
        do throws(DaybookError) {
            guard let record = try records.next() else { return false }
            try store(record, transaction)
        } catch  where error.isOfRecord {
            transaction.roll(backTo: savepoint)
            try note(error, line: records.line)
        }
        report.recordCount += 1
        return true
    }

    private mutating func store(
        _ record: ImportRecord, _ transaction: WriteTransaction
    ) throws(DaybookError) {
        guard let put else { return }
        let stored = try put.storedId(record.values, id: record.id, in: transaction)
        if stored > 0, options.onConflict == .ignore {
            report.ignoredCount += 1
            return
        }
        var putOptions = putOptions
        putOptions.mode = options.onConflict == .replace ? .put : .insert
        if options.onConflict == .ignore { putOptions.onConflict = put.ignoringConflicts }
        let outcome = try put.put(record.values, id: record.id, putOptions, in: transaction)
        guard outcome.effect != .ignored else {
            report.ignoredCount += 1
            return
        }
        if stored > 0 { report.replacedCount += 1 } else { report.insertedCount += 1 }
        if !record.links.isEmpty {
            pending.append(
                PendingLinks(line: record.line, id: outcome.id, links: record.links))
        }
    }

    /// Writes the links of all objects.
    mutating func link(
        _ transaction: WriteTransaction, _ control: OperationControl
    ) throws(DaybookError) {
        for (index, object) in pending.enumerated() {
            if index & 255 == 0 { try control.check() }
            let savepoint = transaction.savepoint()
            do throws(DaybookError) {
                for links in object.links { try link(object.id, links, transaction) }
            } catch  where error.isOfRecord {
                transaction.roll(backTo: savepoint)
                try note(error, line: object.line)
            }
        }
    }

    private func link(
        _ id: UInt64, _ links: ImportRecord.Links, _ transaction: WriteTransaction
    ) throws(DaybookError) {
        guard let form = put?.form else { return }
        var targets: [UInt64] = []
        for target in links.targets {
            guard let key = links.key else {
                targets.append(try ImportRecords.id(target))
                continue
            }
            let owner = try key.put.owner(of: target, in: key.index, in: transaction)
            guard let owner else { throw Self.missing(target, links.relation, key) }
            targets.append(owner)
        }
        try form.setTargets(of: links.relation, from: id, to: targets, in: transaction)
    }

    private static func missing(
        _ value: RowValue, _ relation: Schema.Relation, _ key: ImportPlan.Key
    ) -> DaybookError {
        DaybookError(
            .notFound,
            "There is no '\(key.put.form.entityName)' whose \(key.field.name) is \(value.shown), to"
                + " link by '\(relation.name)'.",
            details: ["relation": relation.name, "property": key.field.name])
    }

    private mutating func note(_ error: DaybookError, line: Int) throws(DaybookError) {
        report.problemCount += 1
        let column = error.details["column"].flatMap { Int($0) }.map { "column \($0): " } ?? ""
        let problem = ImportProblem(line: line, reason: column + error.message)
        if first == nil { first = problem }
        options.problem?(problem)
        try onProblem(problem)
    }
}

extension RowPut {
    /// The rules for ``ImportOptions/Conflict/ignore``: every unique index but the primary key,
    /// which is looked up before the put.
    fileprivate var ignoringConflicts: [UInt32: UniqueConflict] {
        let indexes = form.layout.layout.indexes.filter { $0.isUnique && !$0.isPrimaryKey }
        return Dictionary(indexes.map { ($0.indexID, .ignore) }) { first, _ in first }
    }
}

extension DaybookError {
    /// Whether the error is of one record, so that the next one can be read. Other errors end the
    /// import: the store is closed, or a disk fails.
    fileprivate var isOfRecord: Bool {
        [
            .invalidValue, .invalidArgument, .dumpInvalid, .uniqueViolation, .idExists, .idInvalid,
            .notFound, .primaryKeyChanged,
        ].contains(code)
    }
}
