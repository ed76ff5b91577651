import ArgumentParser

/// The options of commands that can follow a store.
struct FollowOptions: ParsableArguments {
    @Flag(
        name: [.customShort("f"), .long],
        help: "Continue with each new commit until interrupted.")
    var follow = false

    @Option(
        help: ArgumentHelp(
            "The interval between two checks for new transactions.", valueName: "milliseconds"))
    var interval = 100

    func validate() throws {
        guard (10...60_000).contains(interval) else {
            throw ValidationError(
                "'--interval' must be 10 to 60000 milliseconds, as in '--interval 500'.")
        }
    }
}
