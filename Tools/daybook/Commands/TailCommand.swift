import ArgumentParser
import DaybookBytes
import DaybookEngine

/// `daybook tail`.
struct TailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Prints the last transactions of a store as JSON lines, and those to come.",
        discussion: """
            One line an event, as 'daybook replay' prints them. A transaction counts if it has an \
            event that is asked for.
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        name: [.customShort("n"), .customLong("transactions")],
        help: "How many transactions.")
    var count = 10

    @OptionGroup var following: FollowOptions

    @OptionGroup var selection: EventSelection

    func validate() throws {
        guard count >= 0 else {
            throw ValidationError("'-n' is at least 0, like '-n 20'.")
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
