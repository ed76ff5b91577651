// DaybookReplicateCommand: the program `daybook-replicate`. It keeps copies of stores without the
// programs that write them. It must not depend on entity types.

import ArgumentParser
import CommandSupport
import DaybookNATS

/// The root of the command line.
@main
struct ReplicateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daybook-replicate",
        abstract: "Replicates stores of Daybook with NATS servers.",
        discussion: """
            Results are JSON lines on standard output. Exit codes: 0 success, 1 failure, 2 wrong \
            usage, 130 interrupted.
            """,
        subcommands: [
            CreateCommand.self, FollowCommand.self, ArchiveCommand.self, TakeoverCommand.self,
            StatusCommand.self,
        ])

    static func main() async { await runMain { $0 is NATSError } }
}
