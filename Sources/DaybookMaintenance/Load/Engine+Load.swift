package import DaybookBytes
package import DaybookEngine
import DaybookRecords
import DaybookLog
import DaybookPages

/// The store that a load built.
package struct LoadReport: Sendable {
    /// The new store's identity.
    package var store: String
    /// Whether the text was a history, and not a state.
    package var isHistory: Bool
    package var counts: DumpCounts
    package var lengthBytes: Int
}

extension Engine {
    /// Builds a new store from the lines of a dump: with its layouts, objects, relations, events,
    /// next ids, and the sequence and time of its last transaction. The store has an identity of
    /// its own. The dump of a state produces a store without older history, whose history floor is
    /// the sequence of the dump; the dump of a history produces a store with all its transactions.
    ///
    /// The new directory must be empty or missing. It becomes a store in the last step, after the
    /// load has read the log back, replayed it, checked that the target of every link exists, and
    /// checked the unique indexes. A crash leaves nothing that opens as a store; an error or an
    /// interruption leaves no files. Memory: a line of the text, and the trees of the store.
    ///
    /// `read` returns the next piece of the text, and an empty piece at its end.
    /// `transactionBytesMax` exists for tests. Throws `.dumpInvalid` with line and column in
    /// `details`, `.formatTooNew` for a dump of a newer release, `.fileExists`, `.interrupted`,
    /// `.outOfSpace`, and the errors of `read`.
    package static func load(
        into path: String, _ fileSystem: any FileSystem, options: EngineOptions = EngineOptions(),
        transactionBytesMax: Int? = nil,
        from read: @escaping () throws(DaybookError) -> [UInt8],
        _ control: OperationControl = OperationControl()
    ) throws(DaybookError) -> LoadReport {
        var lines = LineReader(lengthBytesMax: DumpFormat.lineLengthBytesMax, read)
        let beginning = try DumpBeginning(&lines, control)
        let made = try fileSystem.missingDirectories(of: path)
        do throws(DaybookError) {
            let directory = try LogDirectory.beginUnnamed(
                path, fileSystem, holder: "process \(ProcessIdentity.current)",
                store: .random(), after: beginning.head.sequence,
                timeMicroseconds: UInt64(clamping: WallClock.microsecondsSinceEpoch()))
            do throws(DaybookError) {
                return try fill(directory, options, transactionBytesMax, beginning, &lines, control)
            } catch {
                directory.discardUnnamed()
                throw error
            }
        } catch {
            // Directories with files of other programs are not empty, and stay.
            for directory in made { try? fileSystem.removeDirectory(directory) }
            throw error
        }
    }

    private static func fill(
        _ directory: LogDirectory, _ options: EngineOptions, _ transactionBytesMax: Int?,
        _ beginning: DumpBeginning, _ lines: inout LineReader,
        _ control: OperationControl
    ) throws(DaybookError) -> LoadReport {
        let schemas = beginning.schemas
        let (target, _) = try Log.open(
            directory, transform: SchemaTransposition(schemas), options: options.log, resume: nil,
            durableClaim: 0, onDurable: { _ in })
        let loaded = SealedSegmentWriter(
            newStore: target, options,
            transactionBytesMax: transactionBytesMax ?? SealedSegmentWriter.transactionBytesMax)
        var loader: any DumpLineLoader =
            beginning.head.isHistory
            ? HistoryLineLoader(beginning.head, schemas, loaded)
            : StateLineLoader(beginning.head, schemas, loaded)
        var line = beginning.nextLine
        while let bytes = line {
            try control.check()
            try lines.locate { () throws(DaybookError) in try loader.read(bytes.span) }
            line = try lines.next()
        }
        guard loader.isAtEnd else {
            throw DaybookError(
                .dumpInvalid,
                "The dump ends after line \(lines.lineNumber), but its last line, which begins"
                    + " with \"end\", is missing. Nothing was loaded.",
                details: ["line": String(lines.lineNumber)])
        }
        let log = try loader.finish()
        for (_, segment) in log.finished { target.admit(segment) }
        let entries = log.finished.map(\.entry)
        let state = try LoadedState(target, entries, control)
        try state.check(loader.counts, isHistory: beginning.head.isHistory)
        try control.check()
        try target.name(entries, historyFloor: beginning.head.historyFloor)
        try target.close()
        return LoadReport(
            store: String(describing: target.store), isHistory: beginning.head.isHistory,
            counts: loader.counts, lengthBytes: target.lengthBytes)
    }
}

/// Converts the lines after the head of a dump into the records of a log.
protocol DumpLineLoader {
    /// The counts of the lines that were read.
    var counts: DumpCounts { get }
    /// Whether the last line was read.
    var isAtEnd: Bool { get }
    /// Reads a line. Throws `.dumpInvalid` with the column, and the errors of writing.
    mutating func read(_ line: Span<UInt8>) throws(DaybookError)
    /// Writes the remaining records; returns the log.
    mutating func finish() throws(DaybookError) -> SealedSegmentWriter
}

/// The lines of a dump up to the last layout.
private struct DumpBeginning {
    let head: DumpHead
    let schemas: SchemaTable
    /// The line after the last layout.
    let nextLine: [UInt8]?

    init(_ lines: inout LineReader, _ control: OperationControl) throws(DaybookError) {
        guard let first = try lines.next() else {
            throw DaybookError(
                .dumpInvalid, "The dump is missing: the text is empty. Nothing was loaded.",
                details: ["line": "1"])
        }
        let head = try lines.locate { () throws(DaybookError) in try DumpHead(first.span) }
        let schemas = SchemaTable(Schema())
        var next = try lines.next()
        while let line = next, !head.isHistory {
            try control.check()
            let isLayout = try lines.locate { () throws(DaybookError) in
                try Self.add(line.span, to: schemas)
            }
            if !isLayout { break }
            next = try lines.next()
        }
        try lines.locate { () throws(DaybookError) in try Self.check(schemas.schema) }
        (self.head, self.schemas, nextLine) = (head, schemas, next)
    }

    /// Adds the layout of a line; false if the line is no layout.
    private static func add(
        _ line: Span<UInt8>, to schemas: SchemaTable
    ) throws(DaybookError) -> Bool {
        var json = JSONReader(line)
        try json.beginObject()
        guard try json.isAt("layout") else { return false }
        let layout = try json.layout()
        try json.endObject()
        try json.end()
        try schemas.add(loaded: layout, json)
        return true
    }

    private static func check(_ schema: Schema) throws(DaybookError) {
        for relation in schema.relations where schema.entity(relation.targetEntityID) == nil {
            throw DaybookError(
                .dumpInvalid,
                "'\(schema.relationName(relation.relationID))' refers to entity"
                    + " \(relation.targetEntityID), which no layout defines")
        }
    }
}
