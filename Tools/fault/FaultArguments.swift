/// The parsed command line: a campaign, then `--name value` and `--flag`.
struct FaultArguments {
    static let usage = """
        usage: daybook-fault <campaign> [options]

          crash     [--seed S] [--histories N] [--images N] [--quick | --long]
                    power cuts in memory, at every operation of random histories
          damage    [--seed S] [--quick | --long] [--trace]
                    every file truncated, flipped, zeroed, exchanged; --long at every byte
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

    /// Returns nil if the arguments are invalid.
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
    /// Whether to print each case before running it, to find a case that crashes the process.
    var isTraced: Bool { given.contains("trace") }
    /// Whether the writer's consumer starts only after a compaction has dropped its position.
    var isLate: Bool { given.contains("late") }
    var isQuick: Bool { given.contains("quick") }
    var directory: String? { texts["directory"] }
    /// The given seed, or a random one.
    let seed: UInt64

    func count(_ name: String) -> Int? { values[name].map { Int(clamping: $0) } }
}
