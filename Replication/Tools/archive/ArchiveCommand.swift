// DaybookArchiveCommand: the program `daybook-archive`. It archives stores beside the programs that
// write them, and restores stores. It must not depend on entity types.

import ArgumentParser
import CommandSupport

/// The root of the command line.
@main
struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daybook-archive",
        abstract: "Archives stores of Daybook in an object storage, and restores them.",
        discussion: """
            A location is s3://BUCKET/PREFIX?endpoint=URL&region=NAME, or file:///DIRECTORY. \
            Credentials are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. A moment is a \
            sequence, or a time such as 2026-03-01T12:00:00Z. Results are JSON lines on standard \
            output. Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted.
            """,
        subcommands: [
            PushCommand.self, BaseCommand.self, StatusCommand.self, RestoreCommand.self,
            VerifyCommand.self, PurgeCommand.self,
        ])

    static func main() async { await runMain { _ in false } }
}
