/// What was asked for on the command line: a campaign, then `--name value` and `--flag`.
struct FaultArguments {
    static let usage = """
        usage: daybook-fault <campaign> [options]

          crash     [--seed S] [--histories N] [--images N] [--long]
                    power cuts in memory, at every operation of random histories
          damage    [--seed S] [--quick | --long] [--trace]
                    every file truncated, flipped, zeroed, exchanged
          kill      [--seed S] [--count N]  kill -9 of a writing process
          syscalls  [--seed S] [--long]     each system call fails, once and for ever
          powercut  [--seed S] [--count N]  real power cuts of an ext4 volume; root and Linux only
          all       [--seed S] [--quick | --long]  the first four

        Exit codes: 0 nothing found, 1 a promise was broken, 2 usage.
        """

    private static let valued: Set<String> = ["seed", "histories", "images", "count", "directory"]
    private static let flags: Set<String> = ["long", "quick", "trace", "late"]

    var campaign: String
    private var values: [String: UInt64] = [:]
    private var texts: [String: String] = [:]
    private var given: Set<String> = []

    /// Nil where the words make no sense.
    init?(_ words: [String]) {
        guard let first = words.first else { return nil }
        campaign = first
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            guard word.hasPrefix("--") else { return nil }
            let name = String(word.dropFirst(2))
            if Self.flags.contains(name) {
                given.insert(name)
            } else if Self.valued.contains(name), let text = rest.popFirst() {
                texts[name] = text
                if name != "directory" {
                    guard let value = UInt64(text) else { return nil }
                    values[name] = value
                }
            } else {
                return nil
            }
        }
        seed = values["seed"] ?? UInt64.random(in: 1...999_999)
    }

    var isLong: Bool { given.contains("long") }
    /// Whether each case is named before it is tried, to find one that ends the process.
    var isTraced: Bool { given.contains("trace") }
    /// Whether the consumer of a writing process begins when a compaction has overtaken it.
    var isLate: Bool { given.contains("late") }
    var isQuick: Bool { given.contains("quick") }
    var directory: String? { texts["directory"] }
    /// The seed that was given, or one of this run's own.
    let seed: UInt64

    func count(_ name: String) -> Int? { values[name].map { Int(clamping: $0) } }
}
