import ArgumentParser
import DaybookBytes
import DaybookEngine

/// `daybook tail`.
struct TailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract:
            "Prints the last transactions of a store as JSON lines, and follows new ones.",
        discussion: """
            Prints one line per event, like 'daybook replay'. Counts only transactions with a \
            selected event.

            Examples:
              daybook tail Store -n 20
              daybook tail Store --entity Person --op remove
              daybook tail Store --follow | head -n 1
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        name: [.customShort("n"), .customLong("transactions")],
        help: "The number of transactions.")
    var count = 10

    @OptionGroup var following: FollowOptions

    @OptionGroup var selection: EventSelection

    func validate() throws {
        guard count >= 0 else {
            throw ValidationError("'-n' must not be negative, as in '-n 20'.")
        }
    }

    func run() throws {
        try common.perform("tail") { run in
            let engine = try common.openForReading()
            let lines = EventLines(engine: engine, run: run)
            let last = try engine.lastSequence
            if let first = try LastTransactions(engine: engine, run: run)
                .first(of: count, until: last, selection.filter)
            {
                try lines.write(
                    HistoryRange(
                        from: first < engine.historyFloor ? nil : .sequence(first),
                        until: .sequence(last)),
                    selection.filter, limit: .max, after: first - 1)
            }
            guard following.follow else { return }
            try Following(lines: lines, interval: following.interval).run(
                from: last + 1, selection.filter, limit: .max)
        }
    }
}
