import ArgumentParser

/// The options of commands that can follow a store.
struct FollowOptions: ParsableArguments {
    @Flag(
        name: [.customShort("f"), .long],
        help: "Go on with what is committed from now on, until interrupted.")
    var follow = false

    @Option(
        help: ArgumentHelp(
            "How often to look for new transactions.", valueName: "milliseconds"))
    var interval = 100

    func validate() throws {
        guard (10...60_000).contains(interval) else {
            throw ValidationError(
                "'--interval' is 10 to 60000 milliseconds, like '--interval 500'.")
        }
    }
}
