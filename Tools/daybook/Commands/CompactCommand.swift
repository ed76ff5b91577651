import ArgumentParser
import DaybookBytes
import DaybookEngine

/// `daybook compact`.
struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Makes the log smaller: compresses it, and drops old versions if told so.",
        discussion: """
            The store must not be open for writing elsewhere; readers do not matter. An \
            interruption leaves the history as it was.
            """)

    /// The history that a compaction keeps.
    enum History: String, ExpressibleByArgument, CaseIterable {
        case all, latest

        var policy: HistoryPolicy { self == .all ? .all : .latest }
    }

    @OptionGroup var common: CommonOptions

    @Option(
        help: """
            all: every version stays, the log is only compressed. latest: only the last version \
            of each living object stays, for ever.
            """)
    var history = History.all

    @Flag(name: .customLong("dry-run"), help: "Change nothing; tell what would stay and why.")
    var isDryRun = false

    @Flag(help: "Print the report as JSON lines: one a segment, and one for all.")
    var json = false

    func run() throws {
        try common.perform("compact") { run in
            let control = run.control
            let report: CompactionReport
            if isDryRun {
                report = try common.openForReading().planCompaction(
                    history.policy, progress: control.progress, isCancelled: control.isCancelled)
            } else {
                report = try compact(control)
            }
            if json { try CompactionText.write(report, isDryRun: isDryRun, to: run) }
            try CompactionText.say(report, isDryRun: isDryRun, to: run)
        }
    }

    private func compact(_ control: OperationControl) throws(DaybookError) -> CompactionReport {
        var options = EngineOptions()
        options.isMaintenanceAutomatic = false
        let engine = try Engine.openExisting(common.directory, RealFileSystem(), options: options)
        do throws(DaybookError) {
            let report = try engine.compact(
                history.policy, sealsActive: true, progress: control.progress,
                isCancelled: control.isCancelled)
            try engine.close()
            return report
        } catch {
            try? engine.close()
            throw error
        }
    }
}
