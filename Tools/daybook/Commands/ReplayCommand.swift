import ArgumentParser
import DaybookBytes
import DaybookEngine

/// `daybook replay`.
struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Prints the history of a store, or a state in it, as JSON lines.",
        discussion: """
            The default mode prints the events, one line each, in log order. A range includes both \
            ends. A time is a day (2026-11-21) or an instant (2026-11-21T10:00:00Z), and covers \
            that whole day, second or fraction. A selected entity or object includes the links \
            from it and to it. --state prints each object with the targets of its relations.

            Examples:
              daybook replay Store --from 2 --entity Person --op put,remove
              daybook replay Store --state --until 3
              daybook replay Store --into Copy --until 3
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        help: "Start at this transaction: a sequence or a time.",
        transform: HistoryPoint.parse(argument:))
    var from: HistoryPoint?

    @Option(
        help: "End at this transaction: a sequence or a time.",
        transform: HistoryPoint.parse(argument:))
    var until: HistoryPoint?

    @OptionGroup var selection: EventSelection

    @Option(help: "Stop after this many lines.")
    var limit: Int?

    @Flag(help: "Print the events (the default).")
    var events = false

    @Flag(help: "Print the objects as of --until, or the current ones.")
    var state = false

    @Flag(help: "Count the events by entity and operation.")
    var stats = false

    @Option(
        help: ArgumentHelp(
            "Build a new store with the history up to --until.", valueName: "directory"),
        completion: .directory)
    var into: String?

    @Flag(
        help:
            "Replay the whole log and compare the result with the state that the store opens with.")
    var check = false

    @OptionGroup var following: FollowOptions

    @Flag(name: .customLong("fail-empty"), help: "Exit with status 7 if no line was printed.")
    var failEmpty = false

    func validate() throws {
        let modes = [
            (events, "--events"), (state, "--state"), (stats, "--stats"), (into != nil, "--into"),
            (check, "--check"),
        ].filter(\.0).map(\.1)
        if modes.count > 1 {
            throw ValidationError(
                "\(modes.joined(separator: " and ")) exclude each other; choose one.")
        }
        if into?.isEmpty == true {
            throw ValidationError(
                "The path after '--into' is an empty string; name a new directory.")
        }
        if let limit, limit < 0 {
            throw ValidationError("'--limit' must not be negative, as in '--limit 100'.")
        }
        if case .sequence(let first)? = from, case .sequence(let last)? = until, first > last {
            throw ValidationError("'--from \(first)' is after '--until \(last)'; swap them.")
        }
        if following.follow, until != nil {
            throw ValidationError("'--follow' has no end; omit '--until'.")
        }
        let mode = modes.first ?? "--events"
        for (isGiven, name, isAllowed) in [
            (from != nil, "--from", mode == "--events" || mode == "--stats"),
            (until != nil, "--until", mode != "--check"),
            (selection.entity != nil, "--entity", mode != "--check" && mode != "--into"),
            (selection.kinds != nil, "--op", mode == "--events" || mode == "--stats"),
            (selection.author != nil, "--author", mode == "--events" || mode == "--stats"),
            (!selection.metadata.isEmpty, "--metadata", mode == "--events" || mode == "--stats"),
            (limit != nil, "--limit", mode == "--events" || mode == "--state"),
            (failEmpty, "--fail-empty", mode != "--check" && mode != "--into"),
            (following.follow, "--follow", mode == "--events"),
        ] where isGiven && !isAllowed {
            throw ValidationError("'\(name)' has no effect with '\(mode)'; omit it.")
        }
    }

    func run() throws {
        try common.perform("replay") { run in
            try write(try common.openForReading(), run)
            if failEmpty, run.lineCount == 0 { run.status = .nothingMatched }
        }
    }

    private func write(_ engine: Engine, _ run: CommandRun) throws(DaybookError) {
        try noteGaps(engine, run)
        if state {
            try ObjectLines(run: run).write(
                engine, until: until, selection.entity, limit: limit ?? .max)
        } else if stats {
            try EventCounts(engine: engine, run: run).write(range, selection.filter)
        } else if let into {
            try CopyLine(engine: engine, run: run).write(into, until: until)
        } else if check {
            try CheckLine(engine: engine, run: run).write()
        } else {
            try writeEvents(engine, run)
        }
    }

    private func writeEvents(_ engine: Engine, _ run: CommandRun) throws(DaybookError) {
        let lines = EventLines(engine: engine, run: run)
        // The engine's state does not change until the next refresh, so `last` stays valid.
        let last = try engine.lastSequence
        var range = range
        if following.follow { range.until = .sequence(last) }
        try lines.write(range, selection.filter, limit: limit ?? .max)
        guard following.follow else { return }
        var first = last + 1
        if case .sequence(let from)? = from { first = max(first, from) }
        try Following(lines: lines, interval: following.interval).run(
            from: first, selection.filter, limit: limit ?? .max)
    }

    private var range: HistoryRange { HistoryRange(from: from, until: until) }

    /// Reports a gap in the history before the first event, both as a JSON line and as a message.
    /// Only a range without `--from` can reach below the history floor, because a lower `--from` is
    /// rejected.
    private func noteGaps(_ engine: Engine, _ run: CommandRun) throws(DaybookError) {
        let floor = engine.historyFloor
        guard floor > 0, from == nil, !state, into == nil, !check else { return }
        try run.remark { text in
            text.beginObject()
            text.member("historyFloor", floor)
            text.endObject()
        }
        try run.say(
            "This store was compacted: before sequence \(floor) it has only the last versions.")
    }
}
