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
            try control.check()
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
    /// encoded rows, about 500 bytes per object and 400 bytes per link.
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
    /// The targets of a relation of an object. Links are written after all objects, so this is
    /// small.
    private struct PendingTargets {
        var line: Int
        var id: UInt64
        /// The relation, as an index of ``ImportRun/columns``.
        var column: Int
        var targets: Targets
    }

    private enum Targets {
        case none
        case id(UInt64)
        case values([RowValue])
        case keyed([String], [RowValue])
    }

    /// A relation and the unique property by which a column gives its targets.
    private struct Column {
        var relation: Schema.Relation
        var key: ImportPlan.Key?
    }

    private let options: ImportOptions
    private let onProblem: (ImportProblem) throws(DaybookError) -> Void
    private(set) var report = ImportReport()
    var put: RowPut?
    private var pending: [PendingTargets] = []
    private var columns: [Column] = []
    private var first: ImportProblem?
    private var lastBadLine = 0
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
        let targets = try record.links.map { links throws(DaybookError) in
            try Self.targets(of: links)
        }
        let outcome = try put.put(record.values, id: record.id, putOptions, in: transaction)
        guard outcome.effect != .ignored else {
            report.ignoredCount += 1
            return
        }
        if stored > 0 { report.replacedCount += 1 } else { report.insertedCount += 1 }
        for (links, targets) in zip(record.links, targets) {
            pending.append(
                PendingTargets(
                    line: record.line, id: outcome.id, column: column(of: links),
                    targets: targets))
        }
    }

    private mutating func column(of links: ImportRecord.Links) -> Int {
        let number = links.relation.relationID
        let known = columns.firstIndex {
            $0.relation.relationID == number && $0.key?.index.indexID == links.key?.index.indexID
        }
        if let known { return known }
        columns.append(Column(relation: links.relation, key: links.key))
        return columns.count - 1
    }

    private static func targets(of links: ImportRecord.Links) throws(DaybookError) -> Targets {
        guard let first = links.targets.first else { return .none }
        if let keys = links.keys { return .keyed(keys, links.targets) }
        guard links.targets.count == 1, links.key == nil else { return .values(links.targets) }
        return .id(try ImportRecords.id(first))
    }

    /// Writes the links of all objects.
    mutating func link(
        _ transaction: WriteTransaction, _ control: OperationControl
    ) throws(DaybookError) {
        for (index, links) in pending.enumerated() {
            if index & 255 == 0 { try control.check() }
            let savepoint = transaction.savepoint()
            do throws(DaybookError) {
                try link(links, transaction)
            } catch  where error.isOfRecord {
                transaction.roll(backTo: savepoint)
                try note(error, line: links.line)
            }
        }
    }

    private func link(
        _ links: PendingTargets, _ transaction: WriteTransaction
    ) throws(DaybookError) {
        guard let form = put?.form else { return }
        let column = columns[links.column]
        var targets: [UInt64] = []
        var keys: [String]?
        switch links.targets {
        case .none: break
        case .id(let id): targets = [id]
        case .values(let values):
            for value in values { targets.append(try target(value, column, transaction)) }
        case .keyed(let names, let values):
            keys = names
            for value in values { targets.append(try target(value, column, transaction)) }
        }
        try form.setTargets(
            of: column.relation, from: links.id, to: targets, keys: keys, in: transaction)
    }

    private func target(
        _ value: RowValue, _ column: Column, _ transaction: WriteTransaction
    ) throws(DaybookError) -> UInt64 {
        guard let key = column.key else { return try ImportRecords.id(value) }
        let owner = try key.put.owner(of: value, in: key.index, in: transaction)
        guard let owner else { throw Self.missing(value, column.relation, key) }
        return owner
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
        // Several relations of one record may be bad.
        if line != lastBadLine { report.problemCount += 1 }
        lastBadLine = line
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
