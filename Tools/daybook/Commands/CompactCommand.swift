import ArgumentParser
import DaybookBytes
import DaybookEngine

/// `daybook compact`.
struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Compresses the log, and drops old versions on request.",
        discussion: """
            No other process may have the store open for writing; readers are allowed. An \
            interruption leaves the contents of the store unchanged.
            """)

    /// The history that a compaction keeps.
    enum History {
        case all
        case since(HistoryPoint)
        case latest
    }

    @OptionGroup var common: CommonOptions

    @Option(
        help: """
            all: keep every version and only compress the log. since=SEQUENCE or since=TIME: keep \
            the state at that point and everything later. latest: keep only the last version of \
            each object. Dropped versions are gone forever.
            """,
        transform: History.init(argument:))
    var history = History.all

    @Flag(
        name: .customLong("ignore-consumers"),
        help: "Drop changes even if a consumer has not acknowledged them.")
    var ignoresConsumers = false

    @Flag(
        name: .customLong("dry-run"),
        help: "Change nothing; print the records that would be kept, and why.")
    var isDryRun = false

    @Flag(help: "Print the report as JSON lines: one per segment, and one total.")
    var json = false

    func run() throws {
        try common.perform("compact") { run in
            let control = run.control
            let report = try isDryRun ? plan(control) : compact(control)
            if json { try CompactionText.write(report, isDryRun: isDryRun, to: run) }
            try CompactionText.say(report, isDryRun: isDryRun, to: run)
        }
    }

    private func plan(_ control: OperationControl) throws(DaybookError) -> CompactionReport {
        let engine = try common.openForReading()
        let policy = try policy(in: engine, control)
        return try ignoresConsumers
            ? engine.planCompaction(policy, control)
            : engine.planCompactionForConsumers(policy, control)
    }

    private func compact(_ control: OperationControl) throws(DaybookError) -> CompactionReport {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        let engine = try Engine.openExisting(common.directory, RealFileSystem(), options: options)
        do throws(DaybookError) {
            let policy = try policy(in: engine, control)
            let report =
                try ignoresConsumers
                ? engine.compact(policy, sealsActive: true, control)
                : engine.compactForConsumers(policy, sealsActive: true, control)
            try engine.close()
            return report
        } catch {
            try? engine.close()
            throw error
        }
    }

    private func policy(
        in engine: Engine, _ control: OperationControl
    ) throws(DaybookError) -> HistoryPolicy {
        switch history {
        case .all: .all
        case .since(let point): .since(try engine.last(atOrBefore: point, control))
        case .latest: .latest
        }
    }
}

extension CompactCommand.History {
    /// Parses `all`, `latest`, `since=SEQUENCE` or `since=TIME`.
    init(argument text: String) throws {
        switch text {
        case "all": self = .all
        case "latest": self = .latest
        default:
            let prefix = "since="
            guard text.hasPrefix(prefix) else {
                throw ArgumentProblem(
                    "give 'all', 'latest', 'since=SEQUENCE' or 'since=TIME'")
            }
            self = .since(try HistoryPoint.parse(argument: String(text.dropFirst(prefix.count))))
        }
    }
}
