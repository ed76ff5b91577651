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
            interruption keeps the finished steps, and never changes the current state.

            Examples:
              daybook compact Store --history latest --dry-run --json
              daybook compact Store --history since=2026-01-01
              daybook compact Store --history latest --except Note=all
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        help: """
            all: keep every version and only compress the log. since=SEQUENCE or since=TIME: keep \
            the state at that point and everything later. versions=N: keep the newest N versions \
            of each object. latest: keep only the last version of each object. Dropped versions \
            are gone forever. Events are kept.
            """,
        completion: .list(["all", "latest", "versions=", "since="]),
        transform: HistoryRequest.init(argument:))
    var history = HistoryRequest.everything

    @Option(
        help: """
            The history of one entity, as NAME=HISTORY with the forms of --history, such as \
            Log=versions=3. Repeat it for several entities. Events are dropped only if this option \
            names their entity: since=TIME keeps the later ones, latest none.
            """,
        completion: .entities(followedBy: ["=all", "=latest"]),
        transform: EntityHistory.init(argument:))
    var except: [EntityHistory] = []

    /// The history of one entity.
    struct EntityHistory {
        var entity: String
        var history: HistoryRequest
    }

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

    func validate() throws {
        var entities: Set<String> = []
        for exception in except where !entities.insert(exception.entity).inserted {
            throw ValidationError(
                "'--except' gives two histories of \(exception.entity): give one.")
        }
    }

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
        let policy = try engine.policy(for: requests, control)
        return try ignoresConsumers
            ? engine.planCompaction(policy, control)
            : engine.planCompactionForConsumers(policy, control)
    }

    private func compact(_ control: OperationControl) throws(DaybookError) -> CompactionReport {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        let engine = try Engine.openExisting(common.directory, RealFileSystem(), options: options)
        do throws(DaybookError) {
            let policy = try engine.policy(for: requests, control)
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

    private var requests: HistoryRequests {
        HistoryRequests(
            history,
            // `validate()` has checked that the names differ.
            entities: Dictionary(uniqueKeysWithValues: except.map { ($0.entity, $0.history) }))
    }
}

extension CompactCommand.EntityHistory {
    /// Parses `NAME=HISTORY`.
    init(argument text: String) throws {
        guard let mark = text.firstIndex(of: "="), mark > text.startIndex else {
            throw ArgumentProblem("give the name of an entity and a history, as 'Log=versions=3'")
        }
        entity = String(text[..<mark])
        history = try HistoryRequest(argument: String(text[text.index(after: mark)...]))
    }
}

extension HistoryRequest {
    /// Parses `all`, `latest`, `versions=N`, `since=SEQUENCE` or `since=TIME`.
    init(argument text: String) throws {
        if text == "all" {
            self = .everything
        } else if text == "latest" {
            self = .latest
        } else if text.hasPrefix("since=") {
            self = .since(try HistoryPoint.parse(argument: String(text.dropFirst(6))))
        } else if text.hasPrefix("versions="), let count = Int(text.dropFirst(9)), count > 0 {
            self = .versions(count)
        } else {
            throw ArgumentProblem(
                "give 'all', 'latest', 'versions=N', 'since=SEQUENCE' or 'since=TIME'")
        }
    }
}
