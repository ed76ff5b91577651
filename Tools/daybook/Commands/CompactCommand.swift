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
            interruption does not change the history.
            """)

    /// The history that a compaction keeps.
    enum History: String, ExpressibleByArgument, CaseIterable {
        case all, latest

        var policy: HistoryPolicy { self == .all ? .all : .latest }
    }

    @OptionGroup var common: CommonOptions

    @Option(
        help: """
            all: keep every version and only compress the log. latest: permanently drop all \
            versions except the last one of each existing object.
            """)
    var history = History.all

    @Flag(
        name: .customLong("dry-run"),
        help: "Change nothing; print the segments that would be kept, with reasons.")
    var isDryRun = false

    @Flag(help: "Print the report as JSON lines: one per segment, and one total.")
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
