import ArgumentParser
import DaybookBytes
import DaybookEngine
import DaybookRecords
import DaybookRows

/// `daybook import`.
struct ImportCommand: ParsableCommand {
    private static let pieceBytes = 256 << 10

    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Stores the records of a CSV or JSON lines file as objects, all or none.",
        discussion: """
            A column belongs to the property or relation of its name, or to the object's id if it \
            is 'id'. The column 'boss.email' contains a unique property of the targets of the \
            relation 'boss'. Prints a line for each bad record and one for the result. If a record \
            is bad, nothing is stored, and the command exits with status 1. The guide 'Import and \
            export' describes the formats.

            Examples:
              daybook import Store Person people.csv --dry-run
              daybook import Store Person contacts.csv --map e-mail= --update replace
              daybook import Store Person - --format csv < people.csv
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "The entity of the objects.", completion: .entities())
    var entity: String

    @Argument(
        help: "The file, or '-' for standard input.",
        completion: .file(extensions: ExchangeFormat.allCases.map(\.rawValue)))
    var file: String

    @Option(
        help: "The format, csv or jsonl. Default: the extension of the file.",
        completion: .list(ExchangeFormat.allCases.map(\.rawValue)),
        transform: ExchangeFormat.parse(argument:))
    var format: ExchangeFormat?

    @Option(
        help: ArgumentHelp(
            "Store this column as that property; ignore the column if no property is given.",
            valueName: "column=property"),
        transform: ColumnMapping.parse(argument:))
    var map: [ColumnMapping] = []

    @Option(
        help: "What to do with a record whose object exists: error, replace or ignore.",
        completion: .list(ImportOptions.Conflict.allCases.map(\.rawValue)),
        transform: ImportOptions.Conflict.parse(argument:))
    var update = ImportOptions.Conflict.error

    @Flag(name: .customLong("dry-run"), help: "Check all records, and store nothing.")
    var isDryRun = false

    func validate() throws {
        var columns: Set<String> = []
        for mapping in map where !columns.insert(mapping.column).inserted {
            throw ValidationError("'--map' gives two properties for '\(mapping.column)': give one.")
        }
        guard foundFormat != nil else {
            throw ValidationError(
                "The name of the file does not end in .csv or .jsonl; give '--format'.")
        }
    }

    private var foundFormat: ExchangeFormat? {
        format ?? ExchangeFormat.allCases.first { file.hasSuffix("." + $0.rawValue) }
    }

    func run() throws {
        try common.perform("import", workFile: file) { run in
            let engine = try Engine.openExisting(common.directory, RealFileSystem())
            let result = Result { try importRows(engine, run) }
            try? engine.close()
            try write(try result.get(), run)
        }
    }

    private func importRows(_ engine: Engine, _ run: CommandRun) throws -> ImportReport {
        var options = ImportOptions()
        options.columns = Dictionary(uniqueKeysWithValues: map.map { ($0.column, $0.property) })
        options.onConflict = update
        options.isDryRun = isDryRun
        // `validate()` has checked that there is a format.
        let rows = RowImport(into: entity, foundFormat ?? .csv, options, engine) {
            problem throws(DaybookError) in
            run.status = .failure
            try run.line { write(problem, to: &$0) }
        }
        guard file == "-" else {
            return try rows.run(file: file, in: RealFileSystem(), run.control)
        }
        let isInterrupted = run.isInterrupted
        return try rows.run(run.control) { () throws(DaybookError) in
            let piece = try StandardInput.read(
                upTo: Self.pieceBytes, isCancelled: isInterrupted)
            if piece.isEmpty, isInterrupted() { throw .interrupted }
            return piece
        }
    }

    private func write(_ problem: ImportProblem, to text: inout JSONText) {
        text.beginObject()
        text.member("line", problem.line)
        text.member("reason", problem.reason)
        text.endObject()
    }

    private func write(_ report: ImportReport, _ run: CommandRun) throws {
        try run.line { text in
            text.beginObject()
            text.member("entity", entity)
            text.member("dryRun", isTrue: isDryRun)
            text.member("records", report.recordCount)
            text.member("inserted", report.insertedCount)
            text.member("replaced", report.replacedCount)
            text.member("ignored", report.ignoredCount)
            text.member("bad", report.problemCount)
            text.endObject()
        }
        try run.say(
            isDryRun
                ? "Checked \(report.recordCount) records; \(report.problemCount) are bad."
                : "Imported \(report.recordCount) records into \(entity).")
    }
}
