import ArgumentParser
import DaybookBytes
import DaybookEngine
import DaybookMaintenance

/// `daybook load`.
struct LoadCommand: ParsableCommand {
    private static let pieceBytes = 1 << 20

    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Builds a new store from the JSON lines of 'daybook dump' on standard input.",
        discussion: """
            The directory must be empty or missing. It becomes a store only after the whole input \
            was loaded. An error reports the line and the column, and leaves no files.

            Examples:
              daybook load New < store.jsonl
              daybook dump Store | daybook load New
            """)

    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.perform("load") { run in
            let isInterrupted = run.isInterrupted
            let report = try Engine.load(
                into: common.directory, RealFileSystem(),
                from: { () throws(DaybookError) in
                    let piece = try StandardInput.read(
                        upTo: Self.pieceBytes, isCancelled: isInterrupted)
                    if piece.isEmpty, isInterrupted() { throw .interrupted }
                    return piece
                }, run.control)
            try write(report, run)
        }
    }

    private func write(_ report: LoadReport, _ run: CommandRun) throws(DaybookError) {
        try run.line { text in
            text.beginObject()
            text.member("store", report.store)
            text.member("directory", common.directory)
            text.member("sequence", report.counts.sequence)
            if report.isHistory {
                text.member("transactions", report.counts.transactions)
                text.member("records", report.counts.records)
            } else {
                text.member("layouts", report.counts.layouts)
                text.member("events", report.counts.events)
                text.member("objects", report.counts.objects)
                text.member("links", report.counts.links)
            }
            text.member("bytes", report.lengthBytes)
            text.endObject()
        }
        try run.say("Built \(common.directory) as of sequence \(report.counts.sequence).")
    }
}
