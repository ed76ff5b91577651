// DaybookReplicateCommand: the program `daybook-replicate`. It keeps copies of stores without the
// programs that write them. It must not depend on entity types.

import ArgumentParser
import Daybook
import DaybookNATS
import Foundation

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
            CreateCommand.self, FollowCommand.self, TakeoverCommand.self, StatusCommand.self,
        ])

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch is CancellationError {
            exit(withError: ExitCode(130))
        } catch let error as DaybookError {
            end("\(error)")
        } catch let error as NATSError {
            end("\(error)")
        } catch {
            let isHelp = exitCode(for: error).isSuccess
            let text = fullMessage(for: error) + "\n"
            (isHelp ? FileHandle.standardOutput : .standardError).write(Data(text.utf8))
            exit(withError: isHelp ? ExitCode.success : ExitCode(2))
        }
    }

    private static func end(_ message: String) -> Never {
        FileHandle.standardError.write(Data("daybook-replicate: \(message)\n".utf8))
        exit(withError: ExitCode(1))
    }
}
